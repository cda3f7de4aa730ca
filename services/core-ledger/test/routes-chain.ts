// The acts of routes-model.ts that chains and the wallet service tell.
import {
  type ConfirmedDeposit,
  type ConfirmedMovement,
  DepositConfirmed,
  DepositReversed,
  MovementConfirmed,
  MovementReversed,
} from '@bursar/contracts/blockchain'
import { changed, hashOf } from './execution-wallet'
import { minor, newHash, type Play } from './routes-bench'
import { type Act, at, portfolio } from './routes-model'
import { outside, type Tx } from './steps'

type Told = typeof DepositConfirmed | typeof DepositReversed | typeof MovementConfirmed | typeof MovementReversed

const consume = ({ ledger, clock }: Play, { name, type }: Told, data: ConfirmedDeposit | ConfirmedMovement) =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name,
    type,
    timestamp: clock.now.toISOString(),
    requestId: null,
    service: 'blockchain',
    data,
  })

/** A deposit that the chain tells; its id here, if it is recorded. */
export async function arrive(play: Play, to: number, amount: number): Promise<string | null> {
  const deposit: ConfirmedDeposit = {
    id: Bun.randomUUIDv7(),
    network: 'ethereum',
    txHash: newHash(),
    logIndex: 1,
    accountId: at(play.accounts, to),
    address: outside,
    sourceAddress: outside,
    contractAddress: play.asset.address,
    amount: `${minor(amount)}`,
    decimals: 6,
    confirmedAt: play.clock.now.toISOString(),
    reversedAt: null,
  }
  await consume(play, DepositConfirmed, deposit)
  const [found] = (await play.ledger.ask<Tx[]>('GET', `/transactions?txHash=${deposit.txHash}`)).body
  if (found) play.arrived.set(found.id, deposit)
  return found?.id ?? null
}

/** Takes it off its chain, or brings it back. */
export async function turnDeposit(play: Play, id: string, isBack: boolean): Promise<boolean> {
  const known = play.arrived.get(id)
  if (!known || (known.reversedAt !== null) !== isBack) return false
  const now = play.clock.now.toISOString()
  const next = isBack ? { ...known, confirmedAt: now, reversedAt: null } : { ...known, reversedAt: now }
  play.arrived.set(id, next)
  await consume(play, isBack ? DepositConfirmed : DepositReversed, next)
  return true
}

/** What leaves the portfolio or comes to it without a transaction of the ledger, or a fee of the platform. */
export async function move(play: Play, { kind, amount }: Extract<Act, { act: 'move' }>): Promise<void> {
  const isTransfer = kind === 'in' || kind === 'out'
  const movement: ConfirmedMovement = {
    id: Bun.randomUUIDv7(),
    kind: kind === 'platform' ? 'fee' : kind,
    network: 'ethereum',
    txHash: newHash(),
    place: isTransfer ? `${kind}:1` : 'fee',
    accountId: kind === 'platform' ? null : at(play.accounts, portfolio),
    address: outside,
    counterparty: isTransfer ? outside : null,
    contractAddress: play.asset.address,
    amount: `${minor(amount)}`,
    decimals: 6,
    orderId: null,
    confirmedAt: play.clock.now.toISOString(),
  }
  if (kind === 'in') play.moved.push(movement)
  await consume(play, MovementConfirmed, movement)
}

export async function turnMovement(play: Play, which: number, isBack: boolean): Promise<boolean> {
  const { reversedAt, ...known } = at(play.moved, which)
  if ((reversedAt !== undefined) !== isBack) return false
  const now = play.clock.now.toISOString()
  const next = isBack ? { ...known, confirmedAt: now } : { ...known, reversedAt: now }
  play.moved[which] = next
  await consume(play, isBack ? MovementConfirmed : MovementReversed, next)
  return true
}

/** What the wallet service makes of an order; told by its event, or when it is asked. */
export async function sign({ ledger, wallet, ids }: Play, { which, as, isTold }: Extract<Act, { act: 'sign' }>) {
  const id = at(ids, which)
  const isSent = as === 'broadcast' || as === 'confirmed'
  const state = { id, status: as, txHash: isSent ? hashOf(id) : null, reason: as === 'failed' ? 'No' : null }
  wallet.records.set(id, state)
  wallet.script(id, as)
  if (isTold && as !== 'accepted') await ledger.consume(changed(state))
}
