import { type ListEntry, type ListedName, mostEntriesPerCall } from '@bursar/contracts/sanctions'
import { fixedClock, tempDir } from '@bursar/testing'
import { refusedAs, type TestService, type TestServiceOptions, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { SanctionsDeps } from '../src/deps'
import { runningJobs } from '../src/jobs/run-jobs'
import { definition } from '../src/service'

/** Published samples of the list (US Treasury). */
export const listed = {
  eth: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96',
  btc: '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h',
  trx: 'TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre',
}
export const clean = { eth: '0x00000000219ab540356cBB839Cbe05303d7705Fa', btc: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }

export interface TestSanctions extends TestService<SanctionsDeps> {
  clock: ReturnType<typeof fixedClock>
  dataDir: string
}

interface Options extends Pick<TestServiceOptions<SanctionsDeps>, 'urls' | 'client'> {
  env?: Record<string, string>
  dataDir?: string
  at?: string
}

/** As long as may be: a busy machine may stand still for the usual five seconds. */
const patient = { SANCTIONS_SOURCE_TIMEOUT_MS: '20000' }

/** The real app with its own database, with a fixed clock. The tests run its workers. */
export async function testSanctions({ env, at = '2024-09-30T12:00:00.000Z', ...options }: Options = {}) {
  const clock = fixedClock(at)
  const dataDir = options.dataDir ?? tempDir()
  const service = await testService<SanctionsDeps>({
    ...options,
    name: 'sanctions',
    dataDir,
    definition: definition(config({ DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1', ...patient, ...env }), clock),
  })
  return { ...service, clock, dataDir } satisfies TestSanctions
}

/** Works once on each job that is due. */
export async function runDue(deps: SanctionsDeps): Promise<void> {
  const loop = runningJobs(deps)
  await loop.runDue()
  await loop.stop()
}

/** The messages of an error response; checks the rest of its body (spec 3, Errors, second shape). */
const refusal = refusedAs('list')
export const refused = (answer: Parameters<typeof refusal>[0], status: number): string[] =>
  refusal(answer, status).message

/** Replaces the current list, as the operator's tool does; returns the new list's id. */
export async function bringList(
  service: TestSanctions,
  entries: ListEntry[],
  {
    publishedAt = '2024-10-15T00:00:00.000Z',
    force = true,
    names = [],
  }: { publishedAt?: string; force?: boolean; names?: ListedName[] } = {},
): Promise<number> {
  const headers = await service.asService('sanctions')
  const list = `/internal/lists`
  const origin = { name: 'OFAC SDN', source: 'test.xml', publishedAt }
  const { id } = (await service.ask('POST', list, origin, headers)).body
  for (let first = 0; first < entries.length; first += mostEntriesPerCall) {
    const part = { first, entries: entries.slice(first, first + mostEntriesPerCall) }
    await service.post(`${list}/${id}/entries`, part, headers)
  }
  if (names.length > 0) await service.post(`${list}/${id}/names`, { first: 0, names }, headers)
  const activation = { names: names.length, checksum: 'ab'.repeat(32), entries: entries.length, force }
  const answer = await service.post(`${list}/${id}/activate`, activation, headers)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return id
}

export const entry = (address: string, entryId = '77'): ListEntry => ({
  entryId,
  asset: 'ETH',
  address,
  name: 'SOMEONE',
})
