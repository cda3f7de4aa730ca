import { beforeAll, describe, expect, test } from 'bun:test'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseGwei,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expectStatus, hot, nobody, refused } from './harness'
import { book } from './ledger-peer'
import { moveSend, oneAndAHalf, order, start, stranger, token, txHash } from './orders'
import { sharedWallets } from './own-wallets'

/** The key of the first address of the test mnemonic, which is public. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const { peers, service } = await sharedWallets()
beforeAll(async () => {
  peers.hold('ethereum', hot.evm, { native: (10n ** 24n).toString(), [token]: '1000000000' })
})

const payment = { network: 'ethereum', accountId: nobody }

/** An order that the hot wallet pays. */
async function handedOver(fields = {}) {
  const { id } = await start(service, order({ ...payment, ...fields }))
  await service.drive()
  expect(peers.sends.get(id)?.order.from).toBe(hot.evm)
  return id
}

const base = {
  type: 'eip1559',
  chainId: 1,
  nonce: 7,
  gas: 21_000n,
  maxFeePerGas: parseGwei('30'),
  maxPriorityFeePerGas: parseGwei('1'),
} as const
const native: TransactionSerializable = { ...base, to: stranger, value: oneAndAHalf }
const transfer = (to: Hex, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

const sign = (orderId: string, tx: TransactionSerializable, fields: object = {}) =>
  service.post(
    '/internal/sign-transaction',
    { orderId, network: 'ethereum', signers: [hot.evm], unsigned: serializeTransaction(tx), ...fields },
    service.chain,
  )

describe('POST /internal/sign-transaction on EVM', () => {
  test('signs a payment of coins like any wallet program (EIP-1559)', async () => {
    const { signed, txHash: hash } = expectStatus(await sign(await handedOver(), native), 200)
    expect(signed).toBe(await account.signTransaction(native))
    expect(await recoverTransactionAddress({ serializedTransaction: signed as TransactionSerialized })).toBe(
      hot.evm as Hex,
    )
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('signs a token’s transfer, older kinds of transactions, and the same again with a higher fee', async () => {
    const id = await handedOver({ contractAddress: token, amount: '2.5', decimals: 6 })
    const tx: TransactionSerializable = { ...base, gas: 65_000n, to: token, data: transfer(stranger, 2_500_000n) }
    expect(expectStatus(await sign(id, tx), 200).signed).toBe(await account.signTransaction(tx))
    const legacy: TransactionSerializable = {
      type: 'legacy',
      chainId: 1,
      nonce: 7,
      gas: 65_000n,
      gasPrice: parseGwei('20'),
      to: token,
      data: transfer(stranger, 2_500_000n),
    }
    expect(expectStatus(await sign(id, legacy), 200).signed).toBe(await account.signTransaction(legacy))
    const dearer = { ...tx, maxFeePerGas: parseGwei('60') }
    expect(expectStatus(await sign(id, dearer), 200).signed).toBe(await account.signTransaction(dearer as typeof tx))
  })

  const other = '0x1111111111111111111111111111111111111111'
  test.each([
    ['another recipient', { ...native, to: other }],
    ['another amount', { ...native, value: oneAndAHalf + 1n }],
    ['a smaller amount', { ...native, value: oneAndAHalf - 1n }],
    ['data that the order lacks', { ...native, data: '0x00' }],
    ['a token’s transfer', { ...base, to: token, data: transfer(stranger, oneAndAHalf) }],
    ['another chain', { ...native, chainId: 137 }],
    ['no chain', { type: 'legacy', nonce: 7, gas: 21_000n, gasPrice: 1n, to: stranger, value: oneAndAHalf }],
    ['a contract’s creation', { ...native, to: null }],
    ['a fee beyond bounds', { ...native, maxFeePerGas: parseGwei('25000') }],
    ['too much gas', { ...native, gas: 20_000_000n }],
    ['an EIP-7702 authorisation', { ...native, type: 'eip7702', authorizationList: [] }],
  ])('422 for %s', async (_, tx) => {
    const refusal = refused(await sign(await handedOver(), tx as TransactionSerializable), 422)
    expect(refusal.code).toBe('UNPROCESSABLE')
    expect(refusal.message).toStartWith('The transaction is not signed: it')
  })

  test.each([
    ['the coins instead', { ...base, to: stranger, value: 2_500_000n }],
    ['another token', { ...base, to: other, data: transfer(stranger, 2_500_000n) }],
    ['another recipient', { ...base, to: token, data: transfer(other, 2_500_000n) }],
    ['another amount', { ...base, to: token, data: transfer(stranger, 2_500_001n) }],
    ['coins besides', { ...base, to: token, value: 1n, data: transfer(stranger, 2_500_000n) }],
    ['data behind', { ...base, to: token, data: `${transfer(stranger, 2_500_000n)}00` }],
    [
      'an approval',
      {
        ...base,
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, 2_500_000n] }),
      },
    ],
  ])('422 for a token’s order with %s', async (_, tx) => {
    const id = await handedOver({ contractAddress: token, amount: '2.5', decimals: 6 })
    refused(await sign(id, tx as TransactionSerializable), 422)
  })

  test('422 for an invalid unsigned transaction', async () => {
    const id = await handedOver()
    const signed = await account.signTransaction(native)
    for (const unsigned of ['', '0x', '0x02', '0xzz', 'hello', signed, `${serializeTransaction(native)}00`, '{}']) {
      refused(await sign(id, native, { unsigned }), 422)
    }
  })

  test('422 for other signers, for another network, and for orders that have no payer or have ended', async () => {
    const id = await handedOver()
    for (const signers of [['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'], [hot.evm, hot.evm]]) {
      expect(refused(await sign(id, native, { signers }), 422).message).toContain(`is signed by ${hot.evm}`)
    }
    refused(await sign(id, native, { network: 'polygon' }), 422)
    const waiting = await start(service, order({ network: 'ethereum', accountId: nobody }))
    refused(await sign(waiting.id, native), 422)
    await moveSend(service, peers, { id, status: 'confirmed', txHash: txHash() })
    expect(refused(await sign(id, native), 422).message).toContain('its order has ended: confirmed')
    await service.drive()
  })

  test('422 for a refused id, 404 for an id without an order, 400 for an invalid request', async () => {
    const body = order(payment)
    const { id } = body
    // The ledger has it and has not ordered it yet.
    book(peers.ledger, body)
    refused(await sign(id, native), 404)
    await service.post(`/internal/withdrawals/${id}/refuse`, { reason: 'x' }, service.ledger)
    expect(refused(await sign(id, native), 422).message).toContain('its order has ended: failed')
    expect(refused(await sign('x', native), 400).message).toBe('orderId must be a UUID')
    refused(await sign(id, native, { signers: [] }), 400)
  })
})
