import { join } from 'node:path'
import { cpuTimeUs, endWithUs } from './processes'

/** What is asked of a server. */
export interface Load {
  path: string
  /** A script in wrk/ that makes the requests. */
  script?: string
  /** What the script reads. */
  env?: Record<string, string>
}

/** What one measurement found. */
export interface Figures {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** The server's processor time per request; steady where requests per second are not. */
  cpuUs: number
}

let runs = 0

/** Loads a server for some seconds with so many connections. Throws when any answer was not a success. */
export async function drive(
  server: { url: string; pid: number },
  load: Load,
  connections: number,
  seconds: number,
): Promise<Figures> {
  const before = await cpuTimeUs(server.pid)
  const script = load.script ? ['-s', join(import.meta.dir, 'wrk', load.script)] : []
  const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '--latency', ...script]
  runs += 1
  const wrk = Bun.spawn([...command, server.url + load.path], {
    env: { ...process.env, ...load.env, RUN: `${process.pid}-${runs}` },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  endWithUs(wrk)
  const [said, complaint] = await Promise.all([new Response(wrk.stdout).text(), new Response(wrk.stderr).text()])
  const after = await cpuTimeUs(server.pid)
  const fault = /Non-2xx.*|Socket errors.*/.exec(said)?.[0]
  if ((await wrk.exited) !== 0 || fault) throw new Error(`${server.url}${load.path}: ${fault ?? complaint}\n${said}`)
  const requests = number(said, /(\d+) requests in/)
  return {
    requestsPerSecond: number(said, /Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(said, '50'),
    p99Ms: milliseconds(said, '99'),
    cpuUs: (after - before) / requests,
  }
}

function number(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`wrk said something else than expected:\n${text}`)
  return Number(found)
}

const units: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

function milliseconds(text: string, percentile: string): number {
  const [, value, unit = ''] = new RegExp(`^\\s+${percentile}%\\s+([\\d.]+)(us|ms|s|m)$`, 'm').exec(text) ?? []
  return Number(value) * (units[unit] ?? Number.NaN)
}

/** The middle one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** The middle figures of several rounds, each for itself. */
export function medians(rounds: readonly Figures[]): Figures {
  const middle = (name: keyof Figures) => median(rounds.map((figures) => figures[name]))
  return {
    requestsPerSecond: middle('requestsPerSecond'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    cpuUs: middle('cpuUs'),
  }
}
