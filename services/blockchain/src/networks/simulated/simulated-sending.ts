import { comparableAddress } from '@bursar/contracts/address'
import { formatAmount } from '@bursar/money'
import type { Db, OpenStore, Tx } from '@bursar/store'
import { tokenKey } from '../comparable'
import { fateBy } from '../fate-by'
import { hashText } from '../forms'
import type { Attempt, Draft, Drafted, Fate, NetworkSettings, Outcome, Sending, SendOrder } from '../network'
import { addBlock, balanceOf, findTransactions, headOf, type Movement, nonceOf } from './blocks'

/** How transactions get onto a simulated network: at once, each batch in a block of its own. There are no fees. */
export function simulatedSending(network: NetworkSettings, store: OpenStore, clock: () => Date): Sending {
  const known = (db: Db, of: readonly { txHash: string }[]) =>
    findTransactions(
      db,
      network.name,
      of.map(({ txHash }) => txHash),
    )
  async function outcomesOf(attempts: readonly { txHash: string }[]): Promise<Outcome[]> {
    const head = await headOf(store.read, network.name)
    const mined = await known(store.read, attempts)
    return attempts.map(({ txHash }) => {
      const found = mined.get(txHash)
      if (!found) return { is: 'absent' }
      if (head - found.block + 1 < network.confirmations) return { is: 'included' }
      return found.failure === null ? { is: 'confirmed' } : { is: 'reverted', reason: found.failure }
    })
  }
  return {
    async draft({ sender, orders, nextNonce, inFlight }) {
      let nonce = Math.max(nextNonce ?? 0, await nonceOf(store.read, network.name, sender))
      const taken = new Map<string, bigint>()
      // In flight: with 12 confirmations it has been paid long before it is final.
      const paid = await known(
        store.read,
        inFlight.map(({ attempt }) => attempt),
      )
      for (const { order, attempt } of inFlight) if (!paid.has(attempt.txHash)) take(taken, order)
      const balances = new Map<string, bigint>()
      const drafted: Drafted[] = []
      for (const order of orders) {
        const token = tokenKey(order.contractAddress)
        const from = comparableAddress(order.fromAddress)
        const key = `${from} ${token}`
        const held = balances.get(key) ?? (await balanceOf(store.read, network.name, from, token))
        balances.set(key, held)
        const free = held - (taken.get(token) ?? 0n)
        if (held < order.amount) drafted.push({ refused: tooLittle(order, held) })
        else if (free < order.amount) drafted.push({ waiting: tooLittle(order, free) })
        else {
          take(taken, order)
          drafted.push({ draft: draftOf(network, order, nonce) })
          nonce += 1
        }
      }
      return drafted
    },

    async hashOf(draft, signed) {
      const wanted = JSON.parse(draft.unsigned) as Record<string, unknown>
      const given = parseJson(signed) as Record<string, unknown> | undefined
      const isSame = Object.entries(wanted).every(([name, value]) => given?.[name] === value)
      if (!isSame) throw new Error('The wallet service signed another transaction than was asked for')
      return hashText(network.form, draft.unsigned)
    },

    broadcast: (attempts) =>
      store.commit(async (tx) => {
        const mined = await known(tx, attempts)
        const fresh = attempts.filter(({ txHash }) => !mined.has(txHash))
        const movements = fresh.map(movementOf)
        await assertInOrder(tx, network.name, movements)
        if (movements.length > 0) await addBlock(tx, network, movements, clock())
      }),

    outcomes: outcomesOf,

    dearer: async () => null,
    lossOf: async () => 'none',

    async fates(signed) {
      const outcomes = await outcomesOf(signed)
      return outcomes.map((outcome, i) => fateBy(outcome) ?? (signed[i]?.isHandedOver ? waiting : unknown))
    },
  }
}

const waiting: Fate = { fate: 'open', reason: 'It waits for its block' }
const unknown: Fate = { fate: 'dead', reason: 'The simulated network has never been handed it' }

/** The content of a simulated transaction, which is signed as it is. */
interface Unsigned {
  network: string
  nonce: number
  from: string
  to: string
  contractAddress: string | null
  amount: string
  orderId: string
}

function draftOf(network: NetworkSettings, order: SendOrder, nonce: number): Draft {
  const unsigned: Unsigned = {
    network: network.name,
    nonce,
    from: order.fromAddress,
    to: order.toAddress,
    contractAddress: order.contractAddress,
    amount: order.amount.toString(),
    orderId: order.id,
  }
  return { unsigned: JSON.stringify(unsigned), signers: [order.fromAddress], nonce, expiresAt: null }
}

function movementOf({ unsigned, txHash }: Attempt): Movement {
  const { from, to, contractAddress, amount, nonce } = JSON.parse(unsigned) as Unsigned
  return { txHash, fromAddress: from, toAddress: to, contractAddress, amount: BigInt(amount), nonce }
}

/** Fails for a gap in a sender's nonces, or a used one: a chain accepts each once, in order. */
async function assertInOrder(tx: Tx, network: string, movements: readonly Movement[]): Promise<void> {
  const next = new Map<string, number>()
  for (const { fromAddress, nonce, txHash } of movements) {
    const sender = comparableAddress(fromAddress)
    const expected = next.get(sender) ?? (await nonceOf(tx, network, sender))
    if (nonce !== expected)
      throw new Error(`${txHash} has the nonce ${nonce}, and ${expected} is the next one of ${sender}`)
    next.set(sender, expected + 1)
  }
}

function take(taken: Map<string, bigint>, { contractAddress, amount }: SendOrder): void {
  const token = tokenKey(contractAddress)
  taken.set(token, (taken.get(token) ?? 0n) + amount)
}

const tooLittle = ({ fromAddress, amount, decimals }: SendOrder, held: bigint): string =>
  `insufficient funds: ${fromAddress} holds ${formatAmount(held, decimals)}, and ${formatAmount(amount, decimals)} is to be sent`

/** Parses JSON; undefined if invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
