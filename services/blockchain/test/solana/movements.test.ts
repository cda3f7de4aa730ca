// What sends cost on Solana, and what moves at a portfolio's address there.
import { afterAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { getBase64EncodedWireTransaction, type Instruction, type KeyPairSigner, lamports } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { getBurnInstruction, getCloseAccountInstruction } from '@solana-program/token'
import { accountId } from '../harness'
import { onLitesvm } from './on-litesvm'
import { sol, tokenAccount } from './solana-bank'
import { newKey, transactionBy } from './solana-wallet'

const otherAccount = '01a1fe8f-0000-7000-8000-0000000000dd'

const { node, service, bank, mint, order, settled, depositOf, stop } = await onLitesvm()
afterAll(stop)

describe('on litesvm', () => {
  describe('what a portfolio’s own transaction moves is told', () => {
    const moved = (txHash: string, count: number) =>
      until(async () => {
        const told = (await service.movements()).filter((each) => each.txHash === txHash)
        return told.length >= count && told
      })
    const execute = async (key: KeyPairSigner, instructions: Instruction[]) => {
      node.svm.expireBlockhash()
      const transaction = await transactionBy(key, node.svm.latestBlockhash(), instructions)
      const wire = getBase64EncodedWireTransaction(transaction)
      const from = key.address
      const { id } = await service.send(order({ from, to: from, amount: '0', transactionData: { transaction: wire } }))
      return { id, txHash: (await settled(id, 'confirmed')).txHash }
    }
    const portfolio = async () => {
      const key = await newKey()
      await service.watch(key.address, 'solana', { isPortfolio: true })
      await bank.pay(sol, key.address)
      await bank.mintTo(key.address, 50n, mint)
      node.finalize()
      return key
    }

    test('SOL, and its fee', async () => {
      const key = await portfolio()
      const to = (await newKey()).address
      const transfer = getTransferSolInstruction({ source: key, destination: to, amount: lamports(sol / 2n) })
      const { id, txHash } = await execute(key, [transfer])
      const common = { network: 'solana', txHash, accountId, address: key.address, decimals: 9, orderId: id }
      expect(await moved(txHash, 2)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ ...common, kind: 'fee', amount: '5000', counterparty: null }),
          expect.objectContaining({
            ...common,
            kind: 'out',
            place: 'out:0',
            amount: String(sol / 2n),
            counterparty: to,
          }),
        ]),
      )
    })

    test('tokens that it burns from an account that it closes, and the SOL that this brings', async () => {
      const key = await portfolio()
      const account = await tokenAccount(key.address, mint)
      const { txHash } = await execute(key, [
        getBurnInstruction({ account, mint, authority: key, amount: 50n }),
        getCloseAccountInstruction({ account, destination: key.address, owner: key }),
      ])
      const told = (await moved(txHash, 3)).map(({ kind, contractAddress, amount }) => [kind, contractAddress, amount])
      expect(told).toContainEqual(['out', mint, '50'])
      expect(told.find(([kind, contract]) => kind === 'in' && contract === null)).toBeDefined()
      expect(told).toHaveLength(3)
      expect((await service.deposits()).some((deposit) => deposit.txHash === txHash)).toBe(false)
    })

    test('not what the ledger withdraws, but the rent that it costs', async () => {
      const key = await portfolio()
      const to = (await newKey()).address
      await service.watch(to, 'solana', { accountId: otherAccount })
      const { id } = await service.send(
        order({ from: key.address, to, contractAddress: mint, amount: '20', decimals: 6 }),
      )
      const { txHash } = await settled(id, 'confirmed')
      const told = await moved(txHash, 2)
      expect(told.map(({ kind, contractAddress }) => [kind, contractAddress]).sort()).toEqual([
        ['fee', null],
        ['out', null],
      ])
      // The ledger can ask for it after it was restored: in a place of its own.
      const asLedger = await service.asService('core-ledger')
      const items = [{ id, network: null, txHash: null }]
      const { body } = await service.ask('POST', '/internal/sends/paid', { items }, asLedger)
      const common = { kind: 'out', txHash, accountId, address: key.address, counterparty: to, orderId: id }
      expect(body.items).toMatchObject([{ ...common, contractAddress: mint, amount: '20', decimals: 6 }])
      const { logIndex } = await depositOf(txHash)
      expect([...told.map(({ place }) => place), `out:${logIndex}`]).not.toContain(body.items[0].place)
      expect(body.items[0].place).toMatch(/^out:\d*[13579]$/)
    })
  })

  test('what the fee payer pays is its own fee, not the sender’s', async () => {
    const payer = await newKey()
    node.fund(payer.address, sol)
    const to = (await newKey()).address
    const fields = { to, contractAddress: mint, amount: '5', decimals: 6, feePayer: payer.address }
    const { txHash } = await settled((await service.send(order(fields))).id, 'confirmed')
    const fee = await until(async () => (await service.movements()).find((each) => each.txHash === txHash))
    expect(fee).toMatchObject({ kind: 'fee', address: payer.address, accountId: null, amount: '10000' })
  })
})
