import { getKeyStates, type KeyState } from '@bursar/contracts/operations'
import type { ServiceName } from '@bursar/contracts/services'
import { type Client, isCallError } from '@bursar/http'
import type { KeyFile } from './targets'

/** How far a service is with a key file: `away` while it does not answer. */
export type Stage = 'away' | 'unaware' | 'resealing' | 'done'

/** The state of a key file at each service that uses it. */
async function statesOf(client: Client, { file, users }: KeyFile): Promise<Map<ServiceName, KeyState | null>> {
  const states = users.map(async (name) => {
    try {
      const { rings } = await client.call(getKeyStates(name))
      return [name, rings.find((ring) => ring.name === file) ?? null] as const
    } catch (error) {
      if (!isCallError(error)) throw error
      return [name, null] as const
    }
  })
  return new Map(await Promise.all(states))
}

/** How far each service that uses a key file is with its key in use, by the key's id. */
export async function stagesOf(client: Client, target: KeyFile, newest: string) {
  const states = await statesOf(client, target)
  return [...states].map(([name, state]) => ({ name, stage: stageOf(state, newest) }))
}

const stageOf = (state: KeyState | null, newest: string): Stage => {
  if (!state) return 'away'
  if (state.keys[0]?.id !== newest) return 'unaware'
  return state.resealed ? 'done' : 'resealing'
}

const lookMs = 500
const longestMs = 10 * 60_000
/** Services that do not run are not waited for any longer: they use the new key from their start. */
const awayMs = 30_000

/**
 * Waits until all services use the newest key, and have sealed everything by it; tells of each step. Which key that is, is asked
 * each time: another rotation may follow meanwhile. Answers it, and the services that are away.
 */
export async function awaitUse(
  client: Client,
  target: KeyFile,
  newestKey: () => string,
  say: (line: string) => void,
): Promise<{ newest: string; away: ServiceName[] }> {
  const startMs = performance.now()
  let told = ''
  for (;;) {
    const newest = newestKey()
    const stages = await stagesOf(client, target, newest)
    const left = stages.filter(({ stage }) => stage !== 'done')
    const line = `${stages.length - left.length} of ${stages.length} services use it${waitingFor(left)}`
    if (line !== told) say(line)
    told = line
    const away = left.filter(({ stage }) => stage === 'away').map(({ name }) => name)
    const tookMs = performance.now() - startMs
    if (left.length === 0 || (left.length === away.length && tookMs > awayMs)) return { newest, away }
    if (tookMs > longestMs)
      throw new Error('It takes long. The services go on by themselves: look again with --status, and at their logs')
    await Bun.sleep(lookMs)
  }
}

const words = { away: 'does not answer', unaware: 'has not read it yet', resealing: 'seals again', done: '' }

const waitingFor = (left: readonly { name: string; stage: Stage }[]): string =>
  left.length === 0 ? '' : `; ${left.map(({ name, stage }) => `${name} ${words[stage]}`).join(', ')}`
