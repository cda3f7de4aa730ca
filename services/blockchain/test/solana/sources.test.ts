// From whom a deposit came: it is screened by that.
import { afterAll, describe, expect, test } from 'bun:test'
import { type Address, type KeyPairSigner, lamports } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  getApproveInstruction,
  getCloseAccountInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token'
import { onLitesvm } from './on-litesvm'
import { sol, tokenAccount } from './solana-bank'
import { newKey } from './solana-wallet'

const { node, service, bank, mint, depositOf, stop } = await onLitesvm()
afterAll(stop)

describe('deposits come from whom the instructions name', () => {
  test('of SOL: not from who lost most in the same transaction', async () => {
    const [payer, other, to, elsewhere] = [await newKey(), await newKey(), await newKey(), await newKey()]
    for (const { address } of [payer, other]) node.fund(address, 10n * sol)
    await service.watch(to.address, 'solana')
    const pay = (source: KeyPairSigner, destination: Address, amount: bigint) =>
      getTransferSolInstruction({ source, destination, amount: lamports(amount) })
    const hash = await bank.run([
      pay(other, elsewhere.address, 9n * sol),
      pay(payer, to.address, sol),
      pay(other, to.address, 1n),
    ])
    node.finalize()
    expect(await depositOf(hash)).toMatchObject({ address: to.address, sourceAddress: payer.address })
  })

  test('of a token: the owner of the account that it came from, also when another one had the right to move it', async () => {
    const [owner, other, to, elsewhere] = [await newKey(), await newKey(), await newKey(), await newKey()]
    for (const { address } of [owner, other]) await bank.mintTo(address, 1_000_000n, mint)
    for (const { address } of [to, elsewhere]) await bank.mintTo(address, 1n, mint)
    await service.watch(to.address, 'solana')
    const account = ({ address }: KeyPairSigner) => tokenAccount(address, mint)
    const approve = getApproveInstruction({
      source: await account(owner),
      delegate: bank.address,
      owner,
      amount: 500n,
    })
    const hash = await bank.run([
      approve,
      getTransferInstruction({
        source: await account(other),
        destination: await account(elsewhere),
        authority: other,
        amount: 900_000n,
      }),
      getTransferCheckedInstruction({
        source: await account(owner),
        mint,
        destination: await account(to),
        authority: bank.key,
        amount: 500n,
        decimals: 6,
      }),
    ])
    node.finalize()
    expect(await depositOf(hash)).toMatchObject({ amount: '500', sourceAddress: owner.address })
  })

  test('of a token by itself: from its mint; what a closed account held: from its owner', async () => {
    const [owner, to] = [await newKey(), await newKey()]
    await service.watch(to.address, 'solana')
    const minted = await bank.mintTo(to.address, 7n, mint)
    await bank.mintTo(owner.address, 0n, mint)
    const account = await tokenAccount(owner.address, mint)
    const closed = await bank.run([getCloseAccountInstruction({ account, destination: to.address, owner })])
    node.finalize()
    expect(await depositOf(minted)).toMatchObject({ sourceAddress: mint })
    expect(await depositOf(closed)).toMatchObject({ contractAddress: null, sourceAddress: owner.address })
  })
})
