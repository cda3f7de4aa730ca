// `bun run sanctions:update` against the sanctions service as it runs.
import { afterAll, beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import { inOrder, localServer, tempDir } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { runCommand } from '../commands'

const fresh = '0x00000000000000000000000000000000000000aa'
let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform(['sanctions'])
})
afterAll(() => platform.close())

/** A list of so many addresses in the published form. */
function sdn(addresses: string[], date = '10/15/2024'): string {
  const id = (address: string) =>
    `<id><uid>1</uid><idType>Digital Currency Address - ETH</idType><idNumber>${address}</idNumber></id>`
  const entries = addresses.map(
    (address, i) =>
      `<sdnEntry><uid>${i}</uid><lastName>ÄRGER ${i}</lastName><idList>${id(address)}</idList></sdnEntry>`,
  )
  return `<?xml version="1.0"?><sdnList><publshInformation><Publish_Date>${date}</Publish_Date><Record_Count>${entries.length}</Record_Count></publshInformation>${entries.join('')}</sdnList>`
}
const many = (count: number) => Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(40, 'b')}`)

async function update(...words: string[]): Promise<{ code: number; said: string }> {
  const { code, error } = await runCommand('sanctions-update', words, { env: { ...process.env, ...platform.env } })
  return { code, said: error }
}

async function file(text: string): Promise<string> {
  const path = join(tempDir(), 'sdn.xml')
  await Bun.write(path, text)
  return path
}

const listOf = async (address: string) => {
  const answer = await platform.to('sanctions').post('/sanctions/verify-address/sync', { address, blockchain: 'x' })
  const { match, details } = answer.body.sources[0]
  return { match, ...details }
}

inOrder('bun run sanctions:update', (step) => {
  step('a file: the running service uses it, and says which file it was', async () => {
    const text = sdn([fresh, ...many(2499)])
    const { code, said } = await update(await file(text))
    expect([code, said]).toEqual([
      0,
      expect.stringContaining('The list of 2024-10-15 is in use (list 2, 2500 entries).'),
    ])
    expect(await listOf(fresh)).toMatchObject({
      match: true,
      version: '2024-10-15',
      checksum: `sha256:${new Bun.CryptoHasher('sha256').update(text).digest('hex')}`,
      matches: [{ entryId: '0', asset: 'ETH', address: fresh, name: 'ÄRGER 0' }],
    })
    expect((await listOf(many(2499)[2400] ?? '')).match).toBe(true)
  })

  step('a URL, in pieces', async () => {
    const text = sdn(many(2500), '10/16/2024')
    const server = localServer(() => new Response(new Blob([text]).stream()))
    const { code, said } = await update(`${server.url}/sdn.xml`)
    expect([code, said]).toEqual([0, expect.stringContaining('2500 records, 2500 addresses, 2500 names')])
    expect(await listOf(fresh)).toMatchObject({ match: false, version: '2024-10-16' })
    await server.stop()
  })

  const refused: [string, () => Promise<string>, string][] = [
    ['a file that was cut short', () => file(sdn(many(5)).slice(0, -30)), 'not well-formed'],
    ['a list that is older', () => file(sdn(many(2500), '10/01/2024')), 'The list is of 2024-10-01'],
    ['a list that lost most entries', () => file(sdn(many(3), '10/20/2024')), 'The list has 3 entries'],
    ['no file', async () => 'nowhere.xml', 'There is no file nowhere.xml'],
    ['no server', async () => 'http://127.0.0.1:9/sdn.xml', '127.0.0.1:9 cannot be reached'],
  ]
  for (const [what, source, words] of refused) {
    step(`${what}: the list in use stays`, async () => {
      const { code, said } = await update(await source())
      expect([code, said]).toEqual([1, expect.stringContaining(words)])
      expect(said).toEndWith('The list in use stays.\n')
      expect((await listOf(fresh)).version).toBe('2024-10-16')
    })
  }

  step('--force takes it all the same', async () => {
    expect((await update(await file(sdn(many(3), '10/01/2024')), '--force')).code).toBe(0)
    expect((await listOf(fresh)).version).toBe('2024-10-01')
  })

  step('without the service: one sentence', async () => {
    await platform.stop('sanctions')
    const { code, said } = await update(await file(sdn(many(3))))
    expect([code, said]).toEqual([1, expect.stringContaining('The sanctions service cannot be reached: start it')])
  })
})
