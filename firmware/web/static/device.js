// Screens pixel by pixel, and sounds. Lamps are drawn with the seats.

const frames = new Map();
let audio = null;
let heard = 0;
export let loud = false;

export function keepFrame(name, base64) {
  frames.set(name, Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)));
  paint(name);
}

// 8 pages of 128 columns, lowest bit on top: the memory of an SSD1306.
export function paint(name) {
  const frame = frames.get(name);
  if (!frame) return;
  for (const canvas of document.querySelectorAll(`canvas[data-screen="${name}"]`)) {
    const pen = canvas.getContext("2d");
    const picture = pen.createImageData(128, 64);
    for (let page = 0; page < 8; page += 1) {
      for (let x = 0; x < 128; x += 1) {
        const bits = frame[page * 128 + x];
        for (let bit = 0; bit < 8; bit += 1) {
          const at = ((page * 8 + bit) * 128 + x) * 4;
          const lit = (bits >> bit) & 1;
          picture.data.set(lit ? [214, 240, 255, 255] : [5, 8, 12, 255], at);
        }
      }
    }
    pen.putImageData(picture, 0, 0);
    canvas.dataset.lit = String(frame.some((byte) => byte));
  }
}

export function paintAll() {
  for (const name of frames.keys()) paint(name);
}

export function setLoud(on) {
  loud = on;
  if (on && !audio) audio = new AudioContext();
  if (on) audio.resume();
}

export function play(n, notes) {
  const first = heard === 0;
  heard = n;
  if (first || !loud || !audio) return;
  let at = audio.currentTime + 0.01;
  for (const [hertz, seconds] of notes) {
    if (hertz > 0) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.type = "square";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.07, at);
      volume.gain.setValueAtTime(0.07, at + Math.max(0, seconds - 0.01));
      volume.gain.linearRampToValueAtTime(0, at + seconds);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + seconds);
    }
    at += seconds;
  }
}
