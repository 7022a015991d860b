// The columns of the run, out of the base64 text in the page: raw deflate, then one column after another, each in its
// coding.

// unpack returns the columns by name. list names them with their codings and lengths, in their order.
export async function unpack(base64, list) {
  const bytes = await inflate(base64);
  const columns = {};
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (at >= bytes.length) throw new Error("the data ends early");
      const b = bytes[at++];
      value += (b & 127) * scale;
      if (b < 128) return value;
    }
  };
  const zigzag = () => {
    const value = varint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  for (const [name, coding, length] of list) {
    if (coding === "u8") {
      columns[name] = bytes.subarray(at, at += length);
      if (at > bytes.length) throw new Error("the data ends early");
      continue;
    }
    const column = columns[name] = new Float64Array(length);
    if (coding === "varint") for (let i = 0; i < length; i++) column[i] = varint();
    else if (coding === "zigzag") for (let i = 0; i < length; i++) column[i] = zigzag();
    else if (coding === "delta") for (let i = 0, value = 0; i < length; i++) column[i] = value += zigzag();
    else throw new Error(`the coding ${coding} is not known`);
  }
  return columns;
}

async function inflate(base64) {
  const text = atob(base64.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
