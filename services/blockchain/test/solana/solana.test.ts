import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { NewSend } from '@bursar/contracts/blockchain'
import { until } from '@bursar/testing'
import {
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  lamports,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { readAttemptsOf } from '../../src/sends/attempts'
import { onLitesvm } from './on-litesvm'
import { sol, tokenAccount } from './solana-bank'
import { newKey, transactionBy } from './solana-wallet'

const { node, service, bank, hot, mint, order, settled, depositOf, stop } = await onLitesvm()
afterAll(stop)

describe('on litesvm', () => {
  beforeEach(() => {
    node.loses = false
  })

  const tokensOf = async (owner: string) => {
    const { body } = await service.get(`/addresses/${owner}?filter[currency]=TUSD`)
    return body.data[0]?.amount ?? '0'
  }
  describe('deposits', () => {
    test('of SOL, when it is finalized and not before', async () => {
      const to = (await newKey()).address
      await service.watch(to, 'solana')
      const hash = await bank.pay(2n * sol, to)
      expect((await service.get(`/transactions/${hash}`)).body).toMatchObject({ status: 'pending', network: 'solana' })
      const asked = () => node.requests.filter(({ body }) => body.includes(to)).length
      const before = asked()
      await until(() => asked() > before + 6)
      expect((await service.deposits()).filter((deposit) => deposit.address === to)).toEqual([])
      node.finalize()
      expect(await depositOf(hash)).toMatchObject({
        network: 'solana',
        address: to,
        sourceAddress: bank.address,
        contractAddress: null,
        amount: String(2n * sol),
        decimals: 9,
      })
    })

    test('of a token, in an account that the deposit itself made', async () => {
      const to = (await newKey()).address
      await service.watch(to, 'solana')
      const hash = await bank.mintTo(to, 12_500_000n, mint)
      node.finalize()
      expect(await depositOf(hash)).toMatchObject({
        address: to,
        contractAddress: mint,
        amount: '12500000',
        decimals: 6,
      })
      expect((await service.deposits()).filter((deposit) => deposit.txHash === hash)).toHaveLength(1)
      expect(await tokensOf(to)).toBe('12.5')
    })

    test('to two watched addresses in one transaction are two', async () => {
      const [one, two] = [(await newKey()).address, (await newKey()).address]
      await service.watch(one, 'solana')
      await service.watch(two, 'solana')
      const hash = await bank.pay(sol, one, two)
      node.finalize()
      await until(async () => (await service.deposits()).filter((deposit) => deposit.txHash === hash).length === 2)
      const mine = (await service.deposits()).filter((deposit) => deposit.txHash === hash)
      expect(mine.map((deposit) => deposit.address).sort()).toEqual([one, two].sort())
    })

    test('of an unknown token: recorded, and published once the token is registered', async () => {
      const to = (await newKey()).address
      const unknown = await bank.newMint()
      await service.watch(to, 'solana')
      const hash = await bank.mintTo(to, 5n, unknown)
      node.finalize()
      const statuses = async () =>
        (await service.get(`/addresses/${to}/transactions`)).body.data.map(({ status }: { status: string }) => status)
      await until(async () => (await statuses())[0] === 'unknown_token')
      const { body } = await service.internal('POST', '/holdings/solana', { items: [to] })
      expect(body.items).toEqual([[{ contractAddress: unknown, amount: '5', decimals: 6 }]])
      await service.internal('POST', '/tokens', {
        network: 'solana',
        contractAddress: unknown,
        code: 'LATE',
        decimals: 6,
      })
      expect(await depositOf(hash)).toMatchObject({ amount: '5' })
    })
  })

  test('a token has the decimals of its mint, whatever is asked for', async () => {
    const contractAddress = await bank.newMint()
    const asked = { network: 'solana', contractAddress, code: 'SCALED', decimals: 9 }
    expect((await service.internal('POST', '/tokens', asked)).body).toEqual({ ...asked, decimals: 6 })
    const none = { ...asked, contractAddress: (await newKey()).address, code: 'NONE' }
    expect((await service.internal('POST', '/tokens', none)).body).toEqual(none)
  })

  test('what is beside the associated account of a token is a deposit and held, and no payment can take it', async () => {
    const owner = (await newKey()).address
    await service.watch(owner, 'solana')
    await bank.mintTo(owner, 7n, mint)
    const hash = await bank.mintBeside(owner, 5n, mint)
    node.finalize()
    expect(await depositOf(hash)).toMatchObject({ address: owner, amount: '5' })
    const { body } = await service.internal('GET', `/addresses/solana/${owner}/holdings`)
    expect(body).toEqual([{ contractAddress: mint, amount: '12', decimals: 6, payable: '7' }])
    const { id } = await service.send({
      ...order({ contractAddress: mint, decimals: 6, amount: '8', from: owner }),
      to: bank.address,
    })
    expect((await settled(id, 'failed')).reason).toContain('holds 0.000007, and 0.000008 is to be sent')
  })

  describe('sends', () => {
    test('of SOL', async () => {
      const to = (await newKey()).address
      const { id } = await service.send(order({ to, amount: String(sol) }))
      const { txHash } = await settled(id, 'confirmed')
      expect(node.svm.getBalance(to)).toBe(lamports(sol))
      expect((await service.get(`/transactions/${txHash}`)).body).toMatchObject({
        status: 'confirmed',
        orderId: id,
        transfers: [{ fromAddress: hot.address, toAddress: to, currency: 'SOL', amount: '1' }],
      })
    })

    test('of a token, paid by a fee payer, to an owner without a token account', async () => {
      const payer = await newKey()
      node.fund(payer.address, sol)
      const to = (await newKey()).address
      const before = node.svm.getBalance(hot.address)
      const { id } = await service.send(
        order({ to, contractAddress: mint, amount: '1500000', decimals: 6, feePayer: payer.address }),
      )
      await settled(id, 'confirmed')
      expect(await tokensOf(to)).toBe('1.5')
      expect(node.svm.getBalance(hot.address)).toBe(before)
      expect(Number(node.svm.getBalance(payer.address))).toBeLessThan(Number(sol))
      expect(service.wallet.signed.find(({ orderId }) => orderId === id)?.signers).toEqual([payer.address, hot.address])
    })

    test('of a token to a token account itself', async () => {
      const owner = (await newKey()).address
      await bank.mintTo(owner, 1n, mint)
      const { id } = await service.send(
        order({ to: await tokenAccount(owner, mint), contractAddress: mint, amount: '9', decimals: 6 }),
      )
      await settled(id, 'confirmed')
      expect(await tokensOf(owner)).toBe('0.00001')
    })

    test('what one that is on its way will take is not promised to another', async () => {
      const from = await newKey()
      await bank.mintTo(from.address, 10n, mint)
      node.fund(from.address, sol)
      const pay = async (amount: string) =>
        await service.send({
          ...order({ contractAddress: mint, decimals: 6, amount, from: from.address }),
          to: bank.address,
        })
      node.loses = true
      const first = await pay('6')
      await service.reached(first.id, 'broadcast')
      const second = await pay('5')
      const waits = async () => (await service.get(`/sends/${second.id}`)).body
      await until(async () =>
        /holds 0\.00001, and 0\.000005 is to be sent, but others come first$/.test((await waits()).lastError ?? ''),
      )
      expect(await waits()).toMatchObject({ status: 'accepted', attempts: 0 })
      node.loses = false
      await settled(first.id)
      expect((await settled(second.id, 'failed')).reason).toContain('insufficient funds')
    })

    test('two equal payments at once are two', async () => {
      const to = (await newKey()).address
      node.fund(to, sol)
      const sent = await Promise.all([1, 2].map(() => service.send(order({ to }))))
      const states = await Promise.all(sent.map(({ id }) => settled(id, 'confirmed')))
      expect(new Set(states.map(({ txHash }) => txHash)).size).toBe(2)
      expect(node.svm.getBalance(to)).toBe(lamports(sol + 2_000_000n))
    })

    test('whose time is over without a block is signed anew, and paid once', async () => {
      const to = (await newKey()).address
      node.fund(to, sol)
      node.loses = true
      const { id } = await service.send(order({ to }))
      const { txHash } = await service.reached(id, 'broadcast')
      await until(() => node.handedOver.filter((each) => each === txHash).length > 1)
      node.passBlocks(151)
      const again = await until(async () => {
        const { body } = await service.internal('GET', `/sends/${id}`)
        return body.status === 'broadcast' && body.txHash !== txHash && body
      })
      node.loses = false
      expect((await settled(id, 'confirmed')).txHash).toBe(again.txHash)
      expect(node.svm.getBalance(to)).toBe(lamports(sol + 1_000_000n))
    })

    test('in a block that is not finalized is neither confirmed nor lost, however much time has passed', async () => {
      const to = (await newKey()).address
      node.fund(to, sol)
      const { id } = await service.send(order({ to }))
      const { txHash } = await service.reached(id, 'broadcast')
      await until(() => node.processed.some(({ signature }) => signature === txHash))
      node.passBlocks(400)
      const asked = () => node.requests.filter(({ body }) => body.includes('getSignatureStatuses')).length
      const before = asked()
      await until(() => asked() > before + 4)
      expect((await service.internal('GET', `/sends/${id}`)).body).toMatchObject({ status: 'broadcast', txHash })
      const { sending } = await service.deps.networks.open('solana')
      const attempts = (await readAttemptsOf(service.deps.store.read, [id])).get(id) ?? []
      expect(await sending.lossOf(hot.address, attempts)).toBe('none')
      expect(await sending.outcomes(attempts)).toEqual([{ is: 'included' }])
      await settled(id, 'confirmed')
    })

    test.each([
      ['more SOL than there is', { amount: String(5000n * sol) }, /^insufficient funds: .* holds \d/],
      [
        'more of a token than there is',
        { amount: '99000000000', decimals: 6, token: true },
        /^insufficient funds: .* holds \d+\.?\d*, and 99000 is to be sent/,
      ],
      ['what is no token', { contractAddress: 'SysvarC1ock11111111111111111111111111111111' }, /is not a token$/],
      ['wrong decimals', { amount: '1', decimals: 9, token: true }, /^the transaction would fail: /],
      [
        'no transaction',
        { transactionData: { transaction: 'x' } },
        'transactionData.transaction is not a Solana transaction in base64',
      ],
    ])(
      '%s fails before it is sent',
      async (_what, { token, ...fields }: Partial<NewSend> & { token?: boolean }, reason) => {
        const to = (await newKey()).address
        const { id } = await service.send(order({ to, ...fields, ...(token ? { contractAddress: mint } : {}) }))
        expect((await service.reached(id, 'failed')).reason).toMatch(reason)
      },
    )

    test('a portfolio transaction goes through unchanged', async () => {
      const to = (await newKey()).address
      const transfer = getTransferSolInstruction({ source: hot, destination: to, amount: lamports(sol) })
      const transaction = await transactionBy(hot, node.svm.latestBlockhash(), [transfer])
      const wire = getBase64EncodedWireTransaction(transaction)
      const { id } = await service.send(order({ to, amount: '0', transactionData: { transaction: wire } }))
      const { txHash } = await settled(id, 'confirmed')
      expect(txHash).toBe(getSignatureFromTransaction(transaction))
      expect(node.svm.getBalance(to)).toBe(lamports(sol))
    })

    test('a wrong signature is not broadcast', async () => {
      const { sign } = service.wallet
      service.wallet.sign = async (asked) => {
        const { signed, txHash } = await sign(asked)
        const bytes = new Uint8Array(getBase64Encoder().encode(signed))
        bytes[5] = (bytes[5] ?? 0) ^ 1
        return { signed: getBase64Decoder().decode(bytes), txHash }
      }
      const { id } = await service.send(order({ to: (await newKey()).address, amount: String(sol) }))
      await until(() => service.wallet.signed.some(({ orderId }) => orderId === id))
      expect((await service.internal('GET', `/sends/${id}`)).body.status).toBe('accepted')
      service.wallet.sign = sign
      await settled(id, 'confirmed')
    })
  })
})
