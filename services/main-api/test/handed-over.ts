// What the tests of handing over share: the main API, the two services that take over, and a clock.
import { afterEach, beforeEach } from 'bun:test'
import { dirname } from 'node:path'
import { fixedClock } from '@bursar/testing'
import { handOverAll, openService, type TestMainApi } from './harness'
import { identityManager, type Peer, participantService } from './takers'

export const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs
const start = '2026-03-01T12:00:00.000Z'
export const now = fixedClock(start)
export let users: Peer
export let participants: Peer
export let service: TestMainApi

const open = (dataDir?: string) =>
  openService({ now, dataDir, urls: { 'identity-manager': users.url, participant: participants.url } })

/** Each test of the file has these for itself. */
export function withTakers(): void {
  beforeEach(async () => {
    now.set(start)
    users = identityManager()
    participants = participantService()
    service = await open()
  })
  afterEach(async () => {
    await service.close().catch(() => {})
    await Promise.all([users.stop(), participants.stop()])
  })
}

/** The service started again on its database, after a crash. */
export async function restart(): Promise<void> {
  const dataDir = dirname(service.file)
  await service.close().catch(() => {})
  service = await open(dataDir)
}

export const run = () => handOverAll(service.deps)

/** The key that a participant is issued now. */
export const issue = async (id: string, body: object = { expirationDate: 365 }): Promise<string> =>
  (await service.create('/participants/api-key', body, await service.asParticipant(id))).data.apiKey
export const hashOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex')
export const inDays = (days: number) => new Date(now().getTime() + days * dayMs).toISOString()
/** The keys that the participant service was given, oldest first. */
export const keysTaken = () => participants.taken.map(({ body }) => body.authConsumerId)
