import { getKeyState } from '@bursar/contracts/main-api'
import { type Client, createSingleFlight } from '@bursar/http'
import { createTimedCache } from '../bounded-cache'

/** Whether participants have an API key by now. */
export interface KeyStates {
  /** Rejects with CallError when the main API cannot be reached. */
  hasKey(participantId: string): Promise<boolean>
}

/** Once there is a key, the token alone is not enough; so "no key" is cached only briefly. */
const keptMs = { true: 60_000, false: 2000 }

export function createKeyStates(client: Client, now: () => number): KeyStates {
  const found = createTimedCache<boolean>(10_000, now)
  const once = createSingleFlight<boolean>()
  return {
    async hasKey(participantId) {
      const known = found.get(participantId)
      if (known !== undefined) return known
      return await once(participantId, async () => {
        const state = await client.find(getKeyState, { params: { id: participantId } })
        // Participants unknown to the main API were created with a key.
        const hasKey = state?.hasKey ?? true
        found.set(participantId, hasKey, keptMs[`${hasKey}`])
        return hasKey
      })
    },
  }
}
