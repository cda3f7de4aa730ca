import type { Answer, Client } from './client'
import { amountText, count, type Holder, type Journal, type Kept } from './journal'
import type { Random } from './random'
import type { Stack } from './stack'
import type { LyingWallet } from './wallet'

export interface Work {
  stack: Stack
  wallet: LyingWallet
  client: Client
  journal: Journal
  random: Random
  assetId: string
  /** Between two transactions of one client. */
  pauseMs: number
  isOver(): boolean
}

export const network = 'ethereum'
const outside = '0x742d35cc6634c0532925a3b844bc454e4438f44e'
const newKey = () => crypto.randomUUID()

/** A transaction from its beginning to its verdict and its review, again and again, until the load is over. */
export async function runClient(work: Work): Promise<void> {
  const { random, journal } = work
  while (!work.isOver()) {
    try {
      await oneTransaction(work)
    } catch (error) {
      journal.broken.push(`A client failed: ${error instanceof Error ? error.stack : error}`)
    }
    await Bun.sleep(work.pauseMs * (0.5 + random.next()))
  }
}

async function oneTransaction(work: Work): Promise<void> {
  const dice = work.random.next()
  const kept = await (dice < 0.4 ? deposit(work) : dice < 0.8 ? withdrawal(work) : transfer(work))
  if (!kept || work.random.chance(0.02)) return
  if (kept.type === 'WITHDRAWAL') work.wallet.decide(kept.id)
  await screen(work, kept)
  if (kept.verdict === false) await review(work, kept)
  const isApproved = kept.verdict === true || kept.review === 'approve'
  if (isApproved && kept.type !== 'DEPOSIT' && work.random.chance(0.04)) await failByHand(work, kept)
}

const ledger = ({ stack }: Work) => stack.url('core-ledger')

const someHolder = ({ journal, random }: Work): Holder => random.pick(journal.holders)

const amountUpTo = (random: Random, whole: number): bigint =>
  BigInt(random.between(1, whole)) * 1_000_000n + BigInt(random.between(0, 999_999))

/** Posts a creation with a key; some are posted twice at once, and some once more later, with the same key. */
async function create(work: Work, path: string, body: object): Promise<Answer> {
  const { client, random, journal } = work
  const key = newKey()
  const post = () => client.send('POST', ledger(work), path, body, key)
  const isTwice = random.chance(0.1)
  const [first, ...others]: [Answer, ...Answer[]] = await Promise.all(isTwice ? [post(), post()] : [post()])
  if (random.chance(0.05)) {
    await Bun.sleep(random.between(10, 3000))
    others.push(await post())
  }
  for (const other of others) {
    count(journal.counts, 'creations repeated with their key')
    // A refusal is not kept: by the time of the repeat there may be enough.
    if (first.status < 300 && other.body.id !== first.body.id)
      journal.broken.push(`${path} with key ${key}: ${JSON.stringify(first)}, then ${JSON.stringify(other)}`)
  }
  return [first, ...others].find(({ status }) => status < 300) ?? first
}

function keep({ journal }: Work, answer: Answer, of: Omit<Kept, 'id' | 'verdict' | 'review' | 'isFailed'>) {
  if (answer.status !== 201 && answer.status !== 200) return null
  const id = String(answer.body.id)
  if (journal.transactions.has(id)) journal.broken.push(`Two creations were answered with transaction ${id}`)
  const kept: Kept = { ...of, id, verdict: null, review: null, isFailed: false }
  journal.transactions.set(id, kept)
  count(journal.counts, `${of.type} created`)
  return kept
}

async function withdrawal(work: Work) {
  const account = someHolder(work)
  const amount = amountUpTo(work.random, 200)
  const body = { accountId: account.accountId, network, assetId: work.assetId, amount: amountText(amount) }
  const answer = await create(work, '/transactions/withdrawal', { ...body, destinationAddress: outside })
  return keep(work, answer, { type: 'WITHDRAWAL', amount, account, to: null })
}

async function transfer(work: Work) {
  const account = someHolder(work)
  const to = someHolder(work)
  if (account === to) return null
  const amount = amountUpTo(work.random, 200)
  const body = { fromAccountId: account.accountId, toAccountId: to.accountId, assetId: work.assetId }
  const answer = await create(work, '/transactions/transfer', { ...body, amount: amountText(amount) })
  return keep(work, answer, { type: 'TRANSFER', amount, account, to })
}

/** Some come two or three times, their hash written in another way, each under a key of its own. */
async function deposit(work: Work) {
  const { random, journal } = work
  const account = someHolder(work)
  const amount = amountUpTo(random, 400)
  const digits = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  const forms = [`0x${digits}`, digits, digits.toUpperCase(), `0x${digits.toUpperCase()}`]
  const body = {
    accountId: account.accountId,
    assetId: work.assetId,
    amount: amountText(amount),
    sourceAddress: outside,
  }
  const post = (sum = body.amount) => {
    const named = { ...body, amount: sum, network: random.pick(['ethereum', 'Ethereum', ' ETHEREUM ']) }
    return create(work, '/transactions/deposit', { ...named, txHash: random.pick(forms) })
  }
  const answers = await Promise.all(random.chance(0.2) ? [post(), post(), post()] : [post()])
  if (random.chance(0.1)) answers.push(await post())
  const [first] = answers as [Answer]
  const made = answers.filter(({ status }) => status === 201).length
  count(journal.counts, 'deposits announced again in another form', answers.length - 1)
  if (answers.some(({ body: { id } }) => id !== first.body.id) || made > 1)
    journal.broken.push(`One transfer, several deposits: ${JSON.stringify(answers)}`)
  if (first.status < 300 && random.chance(0.03)) {
    const other = await post(amountText(amount + 1n))
    if (other.status !== 409) journal.broken.push(`A transfer with two amounts: ${JSON.stringify([first, other])}`)
  }
  return keep(work, first, { type: 'DEPOSIT', amount, account, to: null })
}

async function screen(work: Work, kept: Kept): Promise<void> {
  const { client, random, journal } = work
  const verdict = random.chance(0.85)
  const verdicts = [verdict]
  if (random.chance(0.15)) verdicts.push(verdict)
  if (random.chance(0.15)) verdicts.push(!verdict)
  const answers = await Promise.all(
    verdicts.map(async (isApproved) => {
      const body = { id: kept.id, isApproved, screeningData: { reason: 'of the hour' } }
      const { status } = await client.send('POST', ledger(work), '/transactions/complete-screening', body, newKey())
      return { isApproved, status }
    }),
  )
  const taken = new Set(answers.filter(({ status }) => status === 200).map(({ isApproved }) => isApproved))
  if (taken.size === 1) kept.verdict = [...taken][0] ?? null
  else journal.broken.push(`The verdicts on ${kept.id}: ${JSON.stringify(answers)}`)
  count(journal.counts, 'verdicts given')
  count(journal.counts, 'verdicts given again', verdicts.length - 1)
}

async function review(work: Work, kept: Kept): Promise<void> {
  const { client, random, journal } = work
  if (random.chance(0.05)) return
  const kind = kept.type === 'DEPOSIT' ? 'deposit' : 'withdrawal'
  const word = random.pick<'approve' | 'reject'>(['approve', 'reject'])
  const contrary: typeof word = word === 'approve' ? 'reject' : 'approve'
  const words = random.chance(0.2) ? [word, contrary] : [word]
  const answers = await Promise.all(
    words.map(async (one: typeof word) => {
      const path = `/transactions/${kept.id}/${one}-frozen-${kind}`
      return { one, status: (await client.send('POST', ledger(work), path, {}, newKey())).status }
    }),
  )
  const taken = answers.filter(({ status }) => status === 200)
  if (taken.length === 1 && taken[0]) kept.review = taken[0].one
  else journal.broken.push(`The reviews of ${kept.id}: ${JSON.stringify(answers)}`)
  count(journal.counts, 'reviews given', words.length)
}

async function failByHand(work: Work, kept: Kept): Promise<void> {
  const { client, random, journal } = work
  await Bun.sleep(random.between(0, 200))
  const path = `/transactions/${kept.id}/fail`
  const { status } = await client.send('POST', ledger(work), path, { reason: 'given up' }, newKey())
  kept.isFailed = status === 200
  count(journal.counts, `POST fail answered ${status}`)
}
