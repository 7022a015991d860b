// The cells of the timeline: how strong a colour is at each row and time. They are put into a small picture of a pixel
// for each cell, which is drawn over the rows at once.

// makeHeat returns what the colours of a view mean, and the function that draws them.
export function makeHeat(run, view) {
  const { grid } = run, parts = view.mode !== "packets";
  const strips = parts ? 2 : 1; // of a row: somebody waits, and it serves
  const stages = view.stage < 0 ? [0, 1, 2, 3] : [view.stage];
  const series = stages.map((stage) => ({ stage, busy: grid.busy(stage) })).filter((s) => s.busy);
  // One packet in each stage waits for none: these never have the full colour.
  const most = round(Math.max(stages.length + 1, ...(parts ? [] : series.map((s) => s.busy.high()))));
  const top = view.full || most;

  function draw(c, frame, colours) {
    const { edges, rows } = frame, columns = edges.length - 1;
    if (columns < 1) return;
    const image = new ImageData(columns, rows.length * strips), pixels = new Uint32Array(image.data.buffer);
    const [blue, orange, ...ofStages] = [colours.blue, colours.orange, ...colours.stages].map(rgb);
    const strip = (at, shares, lane, colour) => shares?.means(lane, edges).forEach((share, i) => { pixels[at * columns + i] = pixel(colour, share); });
    rows.forEach(({ lane, part = view.part, operation }, i) => {
      if (operation) return;
      if (!parts) return mix(lane, edges, ofStages, pixels, i * columns);
      strip(2 * i, grid.waited(part), lane, orange);
      strip(2 * i + 1, grid.served(part), lane, blue);
    });
    const small = new OffscreenCanvas(columns, rows.length * strips);
    small.getContext("2d").putImageData(image, 0, 0);
    c.imageSmoothingEnabled = false;
    c.drawImage(small, frame.x(edges[0]), frame.top, frame.x(edges[columns]) - frame.x(edges[0]), frame.bottom - frame.top);
  }

  // mix colours the cells of a row like the stage that has most packets, as strong as their number.
  function mix(lane, edges, colours, pixels, at) {
    const means = series.map((s) => s.busy.means(lane, edges));
    for (let i = 0; i < edges.length - 1; i++) {
      let most = 0, all = 0;
      means.forEach((mean, s) => {
        all += mean[i];
        if (mean[i] > means[most][i]) most = s;
      });
      if (all > 0) pixels[at + i] = pixel(colours[series[most].stage], all / top);
    }
  }

  return { parts, most, top, draw };
}

// pixel returns a colour of a strength from 0 to 1 as canvases store it.
const pixel = ([r, g, b], strength) => (Math.min(strength, 1) * 255) << 24 | b << 16 | g << 8 | r;

// rgb returns the parts of a colour written as rgb(…).
const rgb = (colour) => colour.match(/\d+/g).map(Number);

// round returns the next number of 1, 2, 3, 5 times a power of ten.
function round(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 5, 10].find((f) => f * power >= value) * power;
}
