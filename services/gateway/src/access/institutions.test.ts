import { expect, test } from 'bun:test'
import type { PfiRecord } from '@bursar/contracts/main-api'
import type { Client } from '@bursar/http'
import { createInstitutions } from './institutions'

const [bank, other] = ['01a1fe8f-0000-7000-8000-0000000000b1', '01a1fe8f-0000-7000-8000-0000000000b2']

/** The owners of the lists: the main API gives a record a page, and none after that of `breaksAt`. */
function owners() {
  const state = { epoch: 1, breaksAt: 0, pfis: [] as Pick<PfiRecord, 'id' | 'status'>[] }
  const call = async ({ path }: { path: string }, { query }: { query: { after: string } }) => {
    if (!path.includes('/pfi/')) return { epoch: 1, items: [], more: false }
    const after = Number(query.after)
    if (after > 0 && after === state.breaksAt) throw new Error('away')
    const [record] = state.pfis.slice(after)
    const items = record ? [{ record, version: after + 1 }] : []
    return { epoch: state.epoch, items, more: after + 1 < state.pfis.length }
  }
  return { state, institutions: createInstitutions({ call } as unknown as Client) }
}

test('what ended stays ended while the records of a restored main API are read, also when it breaks off', async () => {
  const { state, institutions } = owners()
  state.pfis = [
    { id: other, status: 'APPROVED' },
    { id: bank, status: 'OFFBOARDED' },
  ]
  await institutions.pull()
  expect(await institutions.stateOf(bank)).toBe('ended')

  Object.assign(state, { epoch: 2, breaksAt: 1 })
  await expect(institutions.pull()).rejects.toThrow('away')
  expect(await institutions.stateOf(bank)).toBe('ended')

  state.breaksAt = 0
  await institutions.pull()
  expect(await institutions.stateOf(bank)).toBe('ended')
})

test('an institution that the restored main API does not have is active again, once all its records are read', async () => {
  const { state, institutions } = owners()
  state.pfis = [
    { id: bank, status: 'OFFBOARDED' },
    { id: other, status: 'PAUSED' },
  ]
  await institutions.pull()
  Object.assign(state, { epoch: 2, pfis: [{ id: other, status: 'PAUSED' }] })
  await institutions.pull()
  expect([await institutions.stateOf(bank), await institutions.stateOf(other)]).toEqual(['active', 'paused'])
  Object.assign(state, { epoch: 3, pfis: [] })
  await institutions.pull()
  expect(await institutions.stateOf(other)).toBe('active')
})
