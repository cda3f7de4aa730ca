// Preloaded into a service's process (`bun --preload`): its clock is off by as many milliseconds as the file CLOCK_FILE
// says, and the file is read again at SIGUSR2, so that a clock can jump while the process runs. Monotonic time stays right.
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_FILE ?? ''
const RealDate = Date
let offMs = 0

function read(): void {
  try {
    offMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    offMs = 0
  }
}

const now = () => RealDate.now() + offMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, words, asked) => Reflect.construct(target, words.length === 0 ? [now()] : words, asked),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
read()
process.on('SIGUSR2', read)
