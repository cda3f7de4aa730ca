import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signatureBytes = 8
const chunkFrame = 12

/**
 * The same picture in fewer bytes: rows are written as they are, which suits plain areas and letters better than the
 * differences that Chromium writes. For 8 bits a channel, without interlacing, as screenshots are.
 */
export function smallerPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const head = chunks.find(({ type }) => type === 'IHDR')?.data
  if (!head) throw new Error('A PNG begins with its IHDR')
  const channels = head[9] === 6 ? 4 : 3
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data)))
  const rows = withoutFilters(data, head.readUInt32BE(0) * channels, channels)
  return Buffer.concat([
    png.subarray(0, signatureBytes),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + chunkFrame
  }
  return chunks
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

/** Takes back what each row's filter did (PNG specification, 9.2); every row then has filter 0. */
function withoutFilters(data: Buffer, width: number, step: number): Buffer {
  const rows = Buffer.from(data)
  const line = width + 1
  for (let start = 0; start < rows.length; start += line) {
    const filter = rows[start] ?? 0
    rows[start] = 0
    for (let i = 1; i <= width; i++) {
      const at = start + i
      const left = i > step ? (rows[at - step] ?? 0) : 0
      const up = start > 0 ? (rows[at - line] ?? 0) : 0
      const corner = i > step && start > 0 ? (rows[at - line - step] ?? 0) : 0
      rows[at] = ((rows[at] ?? 0) + predicted(filter, left, up, corner)) & 255
    }
  }
  return rows
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  return filter === 4 ? paeth(left, up, corner) : 0
}

function paeth(left: number, up: number, corner: number): number {
  const sum = left + up - corner
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
