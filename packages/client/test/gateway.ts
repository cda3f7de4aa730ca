// A stand-in for the gateway, with faults, and a client whose pauses pass at once.
import { type Handler, type LocalServer, localServer } from '@bursar/testing'
import { callsBy, credentialsOf } from '../src/bursar'
import { createSend, type World } from '../src/calls'
import { type Repeats, usualRepeats } from '../src/repeats'
import type { AccessTokens } from '../src/tokens'

/** A clock that moves by what a client waits; `pauses` are its waits in milliseconds. */
export interface Patient extends World {
  readonly pauses: number[]
  pass(ms: number): void
}

export function patientWorld(random = () => 1): Patient {
  const pauses: number[] = []
  let now = 0
  return {
    pauses,
    fetch: (request) => fetch(request),
    async sleep(ms, signal) {
      pauses.push(ms)
      now += ms
      signal?.throwIfAborted()
    },
    random,
    nowMs: () => now,
    pass(ms) {
      now += ms
    },
  }
}

interface Settings {
  apiKey?: string
  session?: AccessTokens
  timeoutMs?: number
  repeats?: Partial<Repeats>
  world?: World
}

export function clientOf(
  baseUrl: string,
  { timeoutMs = 30_000, repeats, world = patientWorld(), ...who }: Settings = {},
) {
  const settings = {
    baseUrl,
    timeoutMs,
    repeats: { ...usualRepeats, ...repeats },
    credentials: credentialsOf(who),
    world,
  }
  return callsBy(createSend(settings))
}

/** Answers in turn; the last one again and again. */
export function inTurn(...handlers: [Handler, ...Handler[]]): Handler {
  let turn = 0
  return (request) => (handlers[Math.min(turn++, handlers.length - 1)] as Handler)(request)
}

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  () =>
    Response.json(body, { status, headers })

/** A gateway whose answers a test gives; stop it when the test ends. */
export const gateway = (...handlers: [Handler, ...Handler[]]): LocalServer => localServer(inTurn(...handlers))

/** An error in the first form. */
export const refusal = (code: string, message = 'No') => ({
  error: { code, message, requestId: 'r-1', timestamp: '2026-01-31T12:00:00.000Z' },
})
