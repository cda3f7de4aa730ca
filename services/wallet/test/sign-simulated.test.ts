import { describe, expect, test } from 'bun:test'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'
import { recoverAddress } from 'viem'
import { signatures } from '../src/orders/signatures.table'
import { expectStatus, hot, refused } from './harness'
import { order, start, stranger } from './orders'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets((them) => {
  them.networks = []
})

const message = (unsigned: string) => Buffer.from(`bursar simulated transaction\n${unsigned}`)
const solanaAddress = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'

async function handedOver(fields: Parameters<typeof order>[0]) {
  const body = order({ accountId: peers.account(), ...fields })
  const { address } = await service.wallet(body.accountId, body.network)
  peers.hold(body.network, address, { native: (10n ** 20n).toString(), points: '100000' })
  await start(service, body)
  await service.drive()
  const sent = peers.sends.get(body.id)?.order
  if (!sent) throw new Error('not handed over')
  const { id, network, from, to, contractAddress, amount } = sent
  return { orderId: id, network, nonce: 3, from, to, contractAddress, amount }
}
type Said = Awaited<ReturnType<typeof handedOver>>

const sign = (said: object, { orderId, network, from }: Said) =>
  service.post(
    '/internal/sign-transaction',
    { orderId, network, signers: [from], unsigned: JSON.stringify(said) },
    service.chain,
  )

describe('POST /internal/sign-transaction on simulated chains', () => {
  test('signs with the payer’s key, so that others can verify it', async () => {
    const said = await handedOver({ network: 'polygon' })
    const { signed, txHash } = expectStatus(await sign(said, said), 200)
    const { signature, ...rest } = JSON.parse(signed)
    expect(rest).toEqual(said)
    const hash = createHash('sha256')
      .update(message(JSON.stringify(said)))
      .digest('hex')
    const [yParity, r, s] = [Number(`0x${signature.slice(0, 2)}`), signature.slice(2, 66), signature.slice(66)]
    expect(await recoverAddress({ hash: `0x${hash}`, signature: { r: `0x${r}`, s: `0x${s}`, yParity } })).toBe(
      said.from as `0x${string}`,
    )
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('signs with ed25519 for Solana addresses', async () => {
    const said = await handedOver({ network: 'solana', destinationAddress: solanaAddress, decimals: 9 })
    const { signed, txHash } = expectStatus(await sign(said, said), 200)
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(base58.decode(said.from)).toString('base64url') },
      format: 'jwk',
    })
    const signature = Buffer.from(JSON.parse(signed).signature, 'hex')
    expect(verify(null, message(JSON.stringify(said)), key, signature)).toBe(true)
    expect(Buffer.from(base58.decode(txHash))).toEqual(signature)
  })

  test.each([
    ['polygon', {}, 'sha256'],
    ['solana', { destinationAddress: solanaAddress, decimals: 9 }, 'sha512'],
    ['solana-devnet', { destinationAddress: solanaAddress, decimals: 9 }, 'sha256'],
    ['stellar', { destinationAddress: 'GA7QYNF7' }, 'sha256'],
  ] as const)('keeps the hash by which the simulated %s knows it', async (network, fields, algorithm) => {
    const said = await handedOver({ network, ...fields })
    expectStatus(await sign(said, said), 200)
    const rows = await service.deps.store.read.select().from(signatures)
    const digest = createHash(algorithm).update(JSON.stringify(said)).digest()
    const txHash = algorithm === 'sha512' ? base58.encode(digest) : `0x${digest.toString('hex')}`
    expect(rows.find(({ orderId }) => orderId === said.orderId)).toMatchObject({ txHash, nonce: 3, sender: said.from })
  })

  test('accepts any other network, and its tokens', async () => {
    const said = await handedOver({
      network: 'stellar',
      contractAddress: 'points',
      destinationAddress: 'GA7QYNF7',
      decimals: 2,
    })
    expect(said).toMatchObject({ contractAddress: 'points', to: 'GA7QYNF7', amount: '150' })
    expectStatus(await sign(said, said), 200)
  })

  test.each([
    ['another recipient', { to: '0x1111111111111111111111111111111111111111' }],
    ['another sender', { from: hot.evm }],
    ['another amount', { amount: '1' }],
    ['an amount that is no text', { amount: 1.5e18 }],
    ['another token', { contractAddress: stranger }],
    ['another order', { orderId: Bun.randomUUIDv7() }],
    ['another network', { network: 'ethereum' }],
    ['data', { transactionData: { to: stranger } }],
  ])('422 for %s', async (_, fields) => {
    const said = await handedOver({ network: 'polygon' })
    refused(await sign({ ...said, ...fields }, said), 422)
  })

  test('422 for a body that is not a JSON object', async () => {
    const said = await handedOver({ network: 'polygon' })
    for (const unsigned of ['', '[]', 'null', '1', '{']) {
      const { orderId, network, from } = said
      const body = { orderId, network, signers: [from], unsigned }
      refused(await service.post('/internal/sign-transaction', body, service.chain), 422)
    }
  })
})
