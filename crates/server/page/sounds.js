// Sounds, made on the spot from tones and noise. A sound says no more than the view does: the opponent's move always
// sounds the same, unless an own man is gone.

import { settings } from "./store.js";

/** @typedef {"own" | "take" | "opponent" | "loss" | "refused" | "look" | "end" | "low"} Sound */

/** @type {AudioContext | null} */
let context = null;

/**
 * A knock on wood: a short burst of noise through a band, over a falling tone.
 * @param {AudioContext} audio
 * @param {{at?: number, pitch: number, length: number, gain: number}} knock
 */
function knock(audio, { at = 0, pitch, length, gain }) {
  const begin = audio.currentTime + at;
  const tone = audio.createOscillator();
  tone.frequency.setValueAtTime(pitch, begin);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, begin + length);
  const noise = audio.createBufferSource();
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  noise.buffer = buffer;
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch * 4, Q: 1.2 });
  const envelope = fade(audio, begin, length, gain);
  tone.connect(envelope);
  noise.connect(band).connect(envelope);
  tone.start(begin);
  tone.stop(begin + length);
  noise.start(begin);
}

/**
 * @param {AudioContext} audio
 * @param {{at?: number, pitch: number, length: number, gain: number}} bell
 */
function bell(audio, { at = 0, pitch, length, gain }) {
  const begin = audio.currentTime + at;
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  tone.connect(fade(audio, begin, length, gain));
  tone.start(begin);
  tone.stop(begin + length);
}

/**
 * @param {AudioContext} audio
 * @param {number} begin
 * @param {number} length
 * @param {number} gain
 * @returns {GainNode}
 */
function fade(audio, begin, length, gain) {
  const node = audio.createGain();
  node.gain.setValueAtTime(0.0001, begin);
  node.gain.exponentialRampToValueAtTime(gain, begin + 0.005);
  node.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  node.connect(audio.destination);
  return node;
}

/** @type {Record<Sound, (audio: AudioContext) => void>} */
const SCORES = {
  own: (audio) => knock(audio, { pitch: 220, length: 0.09, gain: 0.35 }),
  take: (audio) => {
    knock(audio, { pitch: 260, length: 0.07, gain: 0.35 });
    knock(audio, { at: 0.05, pitch: 160, length: 0.12, gain: 0.4 });
  },
  opponent: (audio) => knock(audio, { pitch: 150, length: 0.1, gain: 0.3 }),
  loss: (audio) => {
    knock(audio, { pitch: 150, length: 0.1, gain: 0.3 });
    bell(audio, { at: 0.06, pitch: 196, length: 0.35, gain: 0.18 });
  },
  refused: (audio) => bell(audio, { pitch: 140, length: 0.18, gain: 0.2 }),
  look: (audio) => bell(audio, { pitch: 660, length: 0.15, gain: 0.12 }),
  end: (audio) =>
    [262, 330, 392].forEach((pitch, index) => bell(audio, { at: index * 0.12, pitch, length: 0.5, gain: 0.15 })),
  low: (audio) => bell(audio, { pitch: 880, length: 0.12, gain: 0.12 }),
};

/** @param {Sound} sound */
export function play(sound) {
  if (!settings.sounds || !("AudioContext" in window)) return;
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  SCORES[sound](context);
}
