// What a caller may send: nothing of it gives a 500, and nothing holds the thread up that serves everybody.
import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hot, refused } from './harness'
import { order, start, stranger } from './orders'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets()
let accountId: string
beforeAll(async () => {
  accountId = peers.account('PORTFOLIO')
  await service.wallet(accountId, 'ethereum')
  // The networks are known from here on, also while the blockchain service is away.
  expect((await sign({ signMode: 'PERSONAL_SIGN', message: 'x' })).status).toBe(200)
})

const sign = (fields: object) =>
  service.post(
    '/internal/portfolio/sign-message',
    { accountId, chainId: 1, signMode: 'TYPED_DATA_V4', domain: {}, ...fields },
    service.ledger,
  )

const typeName = fc.oneof(
  fc.constantFrom(
    'A',
    'B',
    'string',
    'bytes',
    'bytes32',
    'uint8',
    'address',
    'bool',
    'A[]',
    'B[2]',
    'uint256[][3]',
    'function',
    '__proto__',
    'constructor',
    'toString',
  ),
  fc.string({ maxLength: 10 }),
)
const fields = fc.oneof(
  fc.array(fc.record({ name: fc.oneof(fc.constantFrom('a', 'b', '__proto__'), fc.string()), type: typeName }), {
    maxLength: 4,
  }),
  fc.jsonValue(),
)
const types = fc.dictionary(
  fc.oneof(fc.constantFrom('A', 'B', '__proto__', 'EIP712Domain'), fc.string({ maxLength: 5 })),
  fields,
  { maxKeys: 4 },
)
const anyObject = fc.dictionary(
  fc.constantFrom('a', 'b', 'name', 'chainId', 'salt', 'verifyingContract'),
  fc.jsonValue(),
  { maxKeys: 4 },
)

/** The processor's time that this process has used since, whatever else the machine is busy with. */
function usedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('no input gives a 500', () => {
  test('typed data', async () => {
    await fc.assert(
      fc.asyncProperty(types, anyObject, anyObject, async (types, domain, typedDataMessage) => {
        expect([200, 400, 422]).toContain((await sign({ types, domain, typedDataMessage })).status)
      }),
      { numRuns: 400 },
    )
  })

  test.each([{ toString: 1 }, [{ toString: 1 }], '2', 1.5, null])('an invalid chain id: %j', async (chainId) => {
    const types = { A: [{ name: 'a', type: 'uint8' }] }
    const { message } = refused(await sign({ types, domain: { chainId }, typedDataMessage: { a: 1 } }), 400)
    expect(message).toBe('domain.chainId must be 1, as chainId is')
  })

  test('raw transactions', async () => {
    const before = peers.sends.size
    peers.away.add('blockchain')
    const raw = fc.dictionary(
      fc.constantFrom('to', 'from', 'value', 'data', 'input', 'gas'),
      fc.oneof(fc.jsonValue(), fc.constantFrom('0x', '0x0', '-1', '1e3')),
      { maxKeys: 4 },
    )
    await fc.assert(
      fc.asyncProperty(raw, async (transactionData) => {
        const body = { accountId, chainId: 1, transactionData }
        expect((await service.post('/internal/portfolio/execute', body, service.ledger)).status).toBe(400)
      }),
      { numRuns: 200 },
    )
    peers.away.delete('blockchain')
    expect(peers.sends.size).toBe(before)
  })

  test('transactions to be signed', async () => {
    peers.hold('ethereum', hot.evm, { native: '1000000000000000000000' })
    peers.hold('solana', hot.solana, { native: '1000000000000' })
    const evm = await start(service, order({ network: 'ethereum' }))
    const solana = await start(
      service,
      order({ network: 'solana', decimals: 9, destinationAddress: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk' }),
    )
    await service.drive()
    const bytes = fc.uint8Array({ maxLength: 300 })
    const unsigned = fc.oneof(
      fc.string(),
      bytes.map((each) => `0x02${Buffer.from(each).toString('hex')}`),
      bytes.map((each) => `0x${Buffer.from(each).toString('hex')}`),
      bytes.map((each) => Buffer.from(each).toString('base64')),
      bytes.map((each) => Buffer.concat([Buffer.of(1, 0, 0), Buffer.from(each)]).toString('base64')),
      bytes.map((each) => Buffer.concat([Buffer.of(0x80, 1, 0, 0), Buffer.from(each)]).toString('base64')),
    )
    await fc.assert(
      fc.asyncProperty(unsigned, fc.constantFrom(evm.id, solana.id), async (text, orderId) => {
        const [network, signer] = orderId === evm.id ? ['ethereum', hot.evm] : ['solana', hot.solana]
        const body = { orderId, network, signers: [signer], unsigned: text }
        expect((await service.post('/internal/sign-transaction', body, service.chain)).status).toBe(422)
      }),
      { numRuns: 400 },
    )
  })

  test('paths and queries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (one, other) => {
        const [network, code] = [
          encodeURIComponent(one.replaceAll(/[\ud800-\udfff]/g, '')),
          encodeURIComponent(other.replaceAll(/[\ud800-\udfff]/g, '')),
        ]
        const statuses = [
          (await service.get(`/wallets/account/${accountId}/network/${network}`)).status,
          (await service.get(`/wallets/${accountId}/token-account?network=${network}&assetCode=${code}`)).status,
          (await service.get(`/internal/withdrawals/changes?after=${network}`, service.ledger)).status,
          (await service.get(`/internal/holdings/${network || 'x'}?after=${code}`, service.ledger)).status,
          (await service.get(`/internal/addresses/ethereum/${network || 'x'}`, service.ledger)).status,
        ]
        for (const status of statuses) expect([200, 400, 404]).toContain(status)
      }),
      { numRuns: 100 },
    )
  })
})

describe('large input is refused at once', () => {
  const field = { name: 'a', type: 'uint8' }
  const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) })

  test.each([
    [
      'long types',
      { types: { A: Array.from({ length: 400 }, () => field) }, typedDataMessage: {} },
      'types must be at most 8192',
    ],
    [
      'a long type',
      { types: { A: [{ name: 'a', type: '['.repeat(5000) }] }, typedDataMessage: {} },
      'types must have names',
    ],
    ['a long name of a type', { types: { ['A'.repeat(500)]: [field] }, typedDataMessage: {} }, 'types must have names'],
    [
      'many values',
      { types: { A: [{ name: 'a', type: 'uint8[]' }] }, typedDataMessage: { a: Array(15_000).fill(1) } },
      'typedDataMessage must hold at most 1000 values',
    ],
    [
      'deep values',
      { types: { A: [{ name: 'a', type: 'A' }] }, typedDataMessage: deep(40) },
      'typedDataMessage must be at most 16 levels deep',
    ],
  ])('%s', async (_, body, words) => {
    const before = process.cpuUsage()
    expect(refused(await sign(body), 400).message).toStartWith(words)
    expect(usedMs(before)).toBeLessThan(2000)
  })

  test('the largest accepted typed data is hashed within about a second', async () => {
    const types = {
      A: [{ name: 'a', type: 'B[]' }],
      B: [{ name: 'c', type: 'C[]' }],
      C: Array.from({ length: 200 }, (_, i) => ({ name: `f${i}`, type: 'uint8' })),
    }
    expect(JSON.stringify(types).length).toBeWithin(6000, 8193)
    const typedDataMessage = { a: Array.from({ length: 450 }, () => ({ c: [] })) }
    const before = process.cpuUsage()
    expect((await sign({ types, typedDataMessage })).status).toBe(200)
    expect(usedMs(before)).toBeLessThan(3000)
  })

  test('long bytes, in linear time', async () => {
    const long = `0x${'ab'.repeat(400_000)}`
    const before = process.cpuUsage()
    const text = { signMode: 'PERSONAL_SIGN', messageEncoding: 'HEX', message: long }
    expect((await sign(text)).status).toBe(200)
    refused(await sign({ ...text, message: `${long}g` }), 400)
    const body = { accountId, chainId: 1, transactionData: { to: stranger, data: long } }
    refused(await service.post('/internal/portfolio/execute', body, service.ledger), 400)
    expect(usedMs(before)).toBeLessThan(5000)
  })
})
