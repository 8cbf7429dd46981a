// The clock of the page: which sample is shown. All that moves listens to it.

class Clock {
  constructor() {
    Object.assign(this, { t: [0], frame: 0, first: 0, speed: 1, playing: false, listeners: [] });
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  get last() {
    return this.end ?? this.t.length - 1;
  }

  // From then on only these samples are there.
  within(first, last) {
    Object.assign(this, { first, end: last });
    this.seek(first);
  }

  seek(frame) {
    this.frame = clamp(frame, this.first, this.last);
    this.time = this.t[this.frame];
    this.listeners.forEach((listener) => listener(this.frame));
  }

  // The sample nearest to a time.
  seekTime(time) {
    this.seek(nearest(this.t, time));
  }

  // Runs in real time, times the speed; over again at the end.
  toggle() {
    this.playing = !this.playing;
    this.time = this.t[this.frame];
    this.before = undefined;
    if (this.playing) requestAnimationFrame((now) => this.advance(now));
    this.listeners.forEach((listener) => listener(this.frame));
  }

  advance(now) {
    if (!this.playing) return;
    const time = this.time + (this.speed * (now - (this.before ?? now))) / 1000;
    this.before = now;
    if (time > this.t[this.last]) {
      this.seek(this.first);
    } else {
      let frame = this.frame;
      while (frame < this.last && this.t[frame + 1] <= time) frame += 1;
      if (frame !== this.frame) this.seek(frame);
      this.time = time;  // keeps what lies between two samples
    }
    requestAnimationFrame((next) => this.advance(next));
  }
}

// Index of the entry of an ascending list that is nearest to x.
function nearest(list, x) {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low > 0 && x - list[low - 1] < list[low] - x ? low - 1 : low;
}
