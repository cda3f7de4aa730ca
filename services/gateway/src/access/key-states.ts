import { getKeyState } from '@bursar/contracts/main-api'
import type { Client } from '@bursar/http'
import { createLookUp } from '../bounded-cache'

/** Whether a participant has an API key by now. Rejects with CallError when the main API cannot be reached. */
export type HasKey = (participantId: string) => Promise<boolean>

/** Once there is a key, the token alone is not enough; so "no key" is cached only briefly. */
const keptMs = (hasKey: boolean): number => (hasKey ? 60_000 : 2000)

/** Participants unknown to the main API were created with a key. */
export const createKeyStates = (client: Client, now: () => number): HasKey =>
  createLookUp(async (id) => (await client.find(getKeyState, { params: { id } }))?.hasKey ?? true, {
    most: 10_000,
    now,
    keptMs,
  })
