import type { Sink } from './process'

const colours = [36, 33, 32, 35, 34, 96, 93, 92, 95, 94]

/** Writes a process' lines with its name in front: padded to `width`, coloured by `index` on a terminal. */
export function labelled(name: string, index: number, width: number): { out: Sink; err: Sink } {
  const padded = `${name.padEnd(width)} |`
  const sinkTo = (stream: NodeJS.WriteStream) => {
    const coloured = stream.isTTY && !process.env.NO_COLOR
    return inLines(stream, coloured ? `\x1b[${colours[index % colours.length]}m${padded}\x1b[0m ` : `${padded} `)
  }
  return { out: sinkTo(process.stdout), err: sinkTo(process.stderr) }
}

/** Writes whole lines only, so that those of several processes never mix; incomplete ones are buffered. */
function inLines(stream: NodeJS.WritableStream, label: string): Sink {
  const decoder = new TextDecoder()
  let rest = ''
  return (chunk) => {
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n')
    rest = text.slice(end + 1)
    if (end >= 0) stream.write(`${label}${text.slice(0, end).replaceAll('\n', `\n${label}`)}\n`)
  }
}
