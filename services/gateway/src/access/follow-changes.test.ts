import { expect, test } from 'bun:test'
import { revocationChanges } from '@bursar/contracts/identity-manager'
import { pfiChanges } from '@bursar/contracts/main-api'
import type { Client } from '@bursar/http'
import { followChanges } from './follow-changes'

const sessionId = '01a1fe8f-0000-7000-8000-000000000001'
const record = { sessionId, expiresAt: '2100-01-01T00:00:00.000Z' }

/** The owner of the records: `version` is that of its newest. */
function owner() {
  const state = { epoch: 1, version: 500, more: false, nextEpoch: 1, asked: [] as number[] }
  const call = async (_: unknown, { query }: { query: { after: string } }) => {
    const after = Number(query.after)
    state.asked.push(after)
    const { epoch, more, nextEpoch } = state
    if (more) Object.assign(state, { epoch: nextEpoch, more: false })
    const items = after < state.version ? [{ record, version: state.version }] : []
    return { items, epoch, more }
  }
  return { state, client: { call } as unknown as Client }
}

test('an owner with a new database is followed from its first record; then what it does not have is dropped', async () => {
  const { state, client } = owner()
  const heard: string[] = []
  const following = followChanges(client, revocationChanges, {
    take: () => void heard.push('take'),
    keepOnly: (records) => void heard.push(`keep only ${records.length}`),
  })
  expect(following.isComplete()).toBe(false)
  await following.pull()
  expect(following.isComplete()).toBe(true)
  await following.pull()
  expect(heard.splice(0)).toEqual(['take', 'keep only 1'])
  expect(state.asked.splice(0)).toEqual([0, 500])

  Object.assign(state, { epoch: 2, version: 400 })
  await following.pull()
  expect(state.asked).toEqual([500, 0])
  expect(heard).toEqual(['take', 'keep only 1'])
})

test.each([
  ['goes on', 1, [0, 500], ['take', 'keep only 1']],
  ['is restored', 2, [0, 500, 0], ['take', 'take', 'keep only 1']],
])('an owner that %s after the first part of a pull', async (_, nextEpoch, asked, expected) => {
  const { state, client } = owner()
  Object.assign(state, { more: true, nextEpoch })
  const heard: string[] = []
  const following = followChanges(client, revocationChanges, {
    take: () => void heard.push('take'),
    keepOnly: (records) => void heard.push(`keep only ${records.length}`),
  })
  await following.pull()
  expect(state.asked).toEqual(asked)
  expect(heard).toEqual(expected)
})

test('of two pulls at once the slower one does not put back what the other has seen changed', async () => {
  const changed = [{ id: 'a', status: 'APPROVED', version: 1 }]
  const slow = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gates = [slow[0]?.promise, undefined, slow[1]?.promise]
  const call = async (_: unknown, { query }: { query: { after: string } }) => {
    const [next, ...rest] = changed.filter(({ version }) => version > Number(query.after))
    const items = next ? [{ record: { ...next }, version: next.version }] : []
    await gates.shift()
    return { items, epoch: 1, more: rest.length > 0 }
  }
  const statuses = new Map<string, string>()
  const following = followChanges({ call } as unknown as Client, pfiChanges, {
    take: ({ id, status }) => void statuses.set(id, status),
  })

  const first = following.pull()
  changed.splice(0, 1, { id: 'a', status: 'OFFBOARDED', version: 2 }, { id: 'b', status: 'APPROVED', version: 3 })
  const second = following.pull()
  await new Promise(setImmediate)
  slow[0]?.resolve()
  await first
  slow[1]?.resolve()
  await second
  await following.pull()
  expect(statuses.get('a')).toBe('OFFBOARDED')
})
