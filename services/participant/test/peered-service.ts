// What most tests share: the service with its peers, the customer and the account service.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'bun:test'
import { plain, type TestParticipants, testParticipants } from './harness'
import { type Peers, startPeers } from './peers'

export let peers: Peers
export let service: TestParticipants

/** Where the service calls its peers. */
export const urls = () => ({ customer: peers.url, account: peers.url })

const hooks = { file: [beforeAll, afterAll], test: [beforeEach, afterEach] } as const

/** All tests of the file have these together, or each test its own. */
export function withPeers(of: keyof typeof hooks = 'file'): void {
  const [before, after] = hooks[of]
  before(async () => {
    peers = startPeers()
    service = await testParticipants(urls())
  })
  after(async () => {
    await service.close()
    await peers.server.stop()
  })
}

/** Starts the service again on its database. */
export async function reopen(): Promise<void> {
  service = await testParticipants(urls(), { file: service.file })
}

/** A participant that is created now, as the route answers it. */
export async function participant(fields: object = {}) {
  const answer = await service.post('/participants', plain(fields))
  expect(answer.status).toBe(201)
  return answer.body
}
export const get = async (id: string) => (await service.get(`/participants/${id}`)).body
