//! Processor time: what a run has used itself, whatever else the machine does.

use std::fs;

/// The seconds that all threads of a process have used.
pub(crate) fn processor_time(process: u32) -> Option<f64> {
    let mut sum = 0.0;
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let told = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        sum += told.split_whitespace().next()?.parse::<f64>().ok()? / 1e9;
    }
    Some(sum)
}
