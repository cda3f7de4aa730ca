import type { Address } from './procfile'

/** Asks `problem` until it answers null, every 50 ms. Throws what it said last after `timeoutMs`, or when aborted. */
export async function untilNull(problem: () => Promise<string | null>, timeoutMs: number, signal: AbortSignal) {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const said = await problem()
    signal.throwIfAborted()
    if (said === null) return
    if (performance.now() > deadline) throw new Error(`${said}, for ${timeoutMs / 1000} s now.`)
    await Bun.sleep(50)
  }
}

/** Why the service at this address is not healthy, or null when `GET /health` answers 200. */
export async function problemWithHealth({ name, url }: Address): Promise<string | null> {
  try {
    const { status } = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5000) })
    return status === 200 ? null : `${name} is not healthy: ${url}/health answers ${status}`
  } catch {
    return `${name} does not answer at ${url}/health`
  }
}

/** What the newcomer reads: where everything is. */
export function readyMessage(addresses: readonly Address[], redisUrl: string, tookMs: number): string {
  const rows = addresses.map(({ name, url }) => [name, url, `documentation ${url}/swagger`])
  const widths = [0, 1].map((column) =>
    Math.max(0, ...[...rows, ['redis', redisUrl]].map((row) => row[column]?.length ?? 0)),
  )
  const lines = [...rows, ['redis', redisUrl, '']].map(
    ([name = '', url = '', note = '']) => `  ${name.padEnd(widths[0] ?? 0)}  ${url.padEnd(widths[1] ?? 0)}  ${note}`,
  )
  const seconds = (tookMs / 1000).toFixed(1)
  return `\nBursar is ready after ${seconds} s. Ctrl-C stops it.\n\n${lines.map((line) => line.trimEnd()).join('\n')}\n`
}
