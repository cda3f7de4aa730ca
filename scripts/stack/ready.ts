import type { Address } from './procfile'

/** How long a program or a service may take to answer a command: machines may be busy. */
export const answerMs = 15_000

/** How long a service may take for a call of a command. Another service waits five seconds, and is busy as well. */
export const callMs = 60_000

/** How long what is started may take until it answers: on a busy machine, and where a large database is brought up to date. */
export const startMs = 180_000

/** Polls `problem` every 50 ms until it returns null. Throws its last result after `timeoutMs`, or when aborted. */
export async function untilNull(problem: () => Promise<string | null>, timeoutMs: number, signal: AbortSignal) {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const said = await problem()
    signal.throwIfAborted()
    if (said === null) return
    if (performance.now() > deadline) throw new Error(`${said} (waited ${timeoutMs / 1000} s).`)
    await Bun.sleep(50)
  }
}

/** Why the service at this address does not answer; null once its process does, even if work waits for a person. */
export async function problemWithLife({ name, url }: Pick<Address, 'name' | 'url'>): Promise<string | null> {
  try {
    const { status } = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(answerMs) })
    return status === 200 ? null : `${name} does not start: ${url}/health/live answers ${status}`
  } catch {
    return `${name} does not answer at ${url}/health/live`
  }
}

/** The contents of the message when the stack is ready. */
export interface Ready {
  addresses: readonly Address[]
  redisUrl: string
  tookMs: number
  /** Sentences about work that needs a person. */
  waiting: readonly string[]
  /** The lines with the first administrator's password; only at the first start. */
  firstPassword: readonly string[]
}

/** The message of a stack that is ready: the addresses, the gateway first, and last what must not be overlooked. */
export function readyMessage({ addresses, redisUrl, tookMs, waiting, firstPassword }: Ready): string {
  const isGateway = ({ name }: Address) => name === 'gateway'
  const ordered = [...addresses.filter(isGateway), ...addresses.filter((each) => !isGateway(each))]
  const rows = ordered.map((each) => [
    each.name,
    each.url,
    `documentation ${each.url}/${isGateway(each) ? 'docs' : 'swagger'}`,
  ])
  const all = [...rows, ['redis', redisUrl, '']]
  const widths = [0, 1].map((column) => Math.max(0, ...all.map((row) => row[column]?.length ?? 0)))
  const table = all.map(([name = '', url = '', note = '']) =>
    `  ${name.padEnd(widths[0] ?? 0)}  ${url.padEnd(widths[1] ?? 0)}  ${note}`.trimEnd(),
  )
  const gateway = addresses.find(isGateway)
  const parts = [
    [`Bursar is ready after ${(tookMs / 1000).toFixed(1)} s. Ctrl-C stops it.`],
    table,
    waiting.length > 0 ? ['What waits for a person:', ...waiting.map((sentence) => `  ${sentence}`)] : [],
    gateway ? [`The console: ${gateway.url}/console`] : [],
    firstPassword,
  ]
  const written = parts.filter((lines) => lines.length > 0).map((lines) => `${lines.join('\n')}\n`)
  return `\n${written.join('\n')}`
}
