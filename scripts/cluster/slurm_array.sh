#!/usr/bin/env bash
# A match as a Slurm array: every task plays one shard, and continues it when it is queued again.
#
#   sbatch --array=1-8 scripts/cluster/slurm_array.sh SHARED_FOLDER obscuro random --game fog --games 400 --nodes 1000
#
# When all tasks are done:
#
#   scuro merge SHARED_FOLDER/shard-* --out SHARED_FOLDER/whole
#
# Tasks may count from 1, as here, or from 0. SHARDS may say how many shards there are, else it is the
# number of tasks. SCURO may name the program.
#SBATCH --job-name=scuro
#SBATCH --cpus-per-task=2
#SBATCH --mem=5G
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

folder=${1:?the shared folder comes first}
shift
index=${SLURM_ARRAY_TASK_ID:?this is not a task of a Slurm array}
shards=${SHARDS:-${SLURM_ARRAY_TASK_COUNT:?how many shards are there?}}

exec "${SCURO:-scuro}" match "$@" --shard "$index/$shards" --out "$folder/shard-$index" --resume
