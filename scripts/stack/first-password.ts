import type { Sink } from './process'

/** The lines that the identity manager prints besides its log at the first start (first-administrator.ts). */
const firstLines = /^(The first administrator is .* with the password |It is shown this once: )/

/** Holds the first password back until the stack is ready: among the lines of all services it would scroll away. */
export interface FirstPassword {
  /** Passes on a process's output without those lines. */
  sift(sink: Sink): Sink
  /** Returns the withheld lines once; from then on they are passed on. */
  take(): string[]
}

export function keepFirstPassword(): FirstPassword {
  const kept: string[] = []
  let isTaken = false
  return {
    sift(sink) {
      const decoder = new TextDecoder()
      const encoder = new TextEncoder()
      let rest = ''
      return (chunk) => {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        const isKept = (line: string) => !isTaken && firstLines.test(line)
        kept.push(...lines.filter(isKept))
        const others = lines.filter((line) => !isKept(line))
        if (others.length > 0) sink(encoder.encode(`${others.join('\n')}\n`))
      }
    },
    take() {
      isTaken = true
      return kept.splice(0)
    },
  }
}
