// Carries the acts of routes-model.ts out: by the ledger's routes, by the events of other services, and as its worker does.
import { expect } from 'bun:test'
import { setStatus } from './institution-events'
import { newHash, type Play, text } from './routes-bench'
import { arrive, move, sign, turnDeposit, turnMovement } from './routes-chain'
import { type Act, at, portfolio } from './routes-model'
import { outside, type Tx } from './steps'

/** How a request is repeated under its key. */
export type Repeat = 'no' | 'again' | 'at once' | 'with another body'

/** Carries an act out; whether it was accepted. `type`: of the transaction that it is about. */
export async function carryOut(play: Play, act: Act, repeat: Repeat, type: string): Promise<boolean> {
  const { clock, asset, accounts, ledger } = play
  clock.now = new Date(clock.now.getTime() + 600_000)
  const ask: Ask = (path, body) => post(play, repeat, path, body)
  switch (act.act) {
    case 'deposit': {
      const place = { accountId: at(accounts, act.to), assetId: asset.id, network: 'ethereum' }
      const from = { sourceAddress: outside, txHash: newHash() }
      return made(play, await ask('/transactions/deposit', { ...place, ...from, amount: text(act.amount) }))
    }
    case 'arrive': {
      const id = await arrive(play, act.to, act.amount)
      return made(play, id === null ? null : { id })
    }
    case 'withdraw':
      return made(play, await withdraw(play, ask, act))
    case 'transfer': {
      const sides = { fromAccountId: at(accounts, act.from), toAccountId: at(accounts, act.to) }
      return made(play, await ask('/transactions/transfer', { ...sides, assetId: asset.id, amount: text(act.amount) }))
    }
    case 'sign':
      await sign(play, act)
      return true
    case 'move':
      await move(play, act)
      return true
    case 'movement':
      return await onMovement(play, ask, act)
    case 'pause':
      await setStatus(play.participantId, act.isPaused ? 'PAUSED' : 'APPROVED', ledger)
      return true
    case 'work':
      await play.work()
      return true
    default:
      return await onOne(play, ask, act, type)
  }
}

/** Null if it is refused. */
type Ask = (path: string, body: object) => Promise<Tx | null>

function made({ ids }: Play, found: { id: string } | null): boolean {
  if (found) ids.push(found.id)
  return found !== null
}

/** The same again under its key is answered the same, and does nothing; another body is refused. */
async function post({ ledger }: Play, repeat: Repeat, path: string, body: object): Promise<Tx | null> {
  const key = { 'idempotency-key': crypto.randomUUID() }
  const send = (sent = body) => ledger.ask<Tx>('POST', path, sent, key)
  const answers = await Promise.all(repeat === 'at once' ? [send(), send()] : [send()])
  if (repeat === 'again') answers.push(await send())
  const isUnderWay = ({ status, body: { message } }: (typeof answers)[number]) =>
    status === 409 && /still being worked on/.test(`${message}`)
  // One that is under way is not waited for.
  const [answer, ...others] = answers.filter((each) => !isUnderWay(each))
  if (!answer) throw new Error(`POST ${path} got no answer`)
  expect(answer.status).toBeLessThan(500)
  const isAccepted = answer.status < 300
  const shown = ({ status, body: said }: typeof answer) => [status, isAccepted ? said : said.message]
  for (const other of others) expect(shown(other)).toEqual(shown(answer))
  if (repeat === 'with another body' && isAccepted && ('reason' in body || 'assetId' in body)) {
    const other = 'reason' in body ? { reason: 'Another' } : { reference: 'Another' }
    expect((await send({ ...body, ...other })).status).toBe(422)
  }
  return isAccepted ? answer.body : null
}

async function withdraw(play: Play, ask: Ask, { from, amount, form }: Extract<Act, { act: 'withdraw' }>) {
  const { accounts, asset, participantId, ledger } = play
  const accountId = at(accounts, from)
  const body = { accountId, network: 'ethereum', amount: text(amount), destinationAddress: outside }
  if (form === 'service') return await ask('/transactions/withdrawal', { ...body, assetId: asset.id })
  const gateway = '/api/v1/core/transactions/withdrawal'
  if (form === 'gateway') return await ask(gateway, { ...body, assetCode: asset.code, participantId })
  // Its id is its key; a refusal is an answer.
  const order = { ...body, id: Bun.randomUUIDv7(), contractAddress: asset.address, reference: 'order' }
  const headers = await ledger.asService('blockchain')
  const send = () => ledger.ask<{ transactionId: string | null }>('POST', '/internal/withdrawals', order, headers)
  const { transactionId: id } = (await send()).body
  expect((await send()).body.transactionId).toBe(id)
  return id === null ? null : { id }
}

async function onOne(
  play: Play,
  ask: Ask,
  { act, which, form }: Extract<Act, { form: 'service' | 'gateway'; which: number }>,
  type: string,
): Promise<boolean> {
  const id = at(play.ids, which)
  const base = form === 'gateway' ? '/api/v1/core/transactions' : '/transactions'
  const kind = type === 'DEPOSIT' ? 'deposit' : 'withdrawal'
  const body = { reason: 'So' }
  switch (act) {
    case 'vanish':
    case 'reappear':
      return await turnDeposit(play, id, act === 'reappear')
    case 'pass':
    case 'flag':
      return (await ask('/transactions/complete-screening', { id, isApproved: act === 'pass' })) !== null
    case 'approve':
      return (await ask(`${base}/${id}/approve-frozen-${kind}`, {})) !== null
    case 'reject':
      return (await ask(`${base}/${id}/reject-frozen-${kind}`, body)) !== null
    case 'fail':
      // The wallet service refuses what it has accepted, and not signed.
      if (play.wallet.records.get(id)?.status === 'accepted') play.wallet.records.delete(id)
      return (await ask(`/transactions/${id}/fail`, body)) !== null
    case 'return':
      return made(play, await ask(`/transactions/${id}/return`, body))
    default:
      return (await ask(`/transactions/${id}/${act}`, act === 'retry' ? {} : body)) !== null
  }
}

async function onMovement(play: Play, ask: Ask, { which, what }: Extract<Act, { act: 'movement' }>): Promise<boolean> {
  if (what !== 'cover') return await turnMovement(play, which, what === 'reappear')
  const { txHash, place } = at(play.moved, which)
  const path = `/balances/account/${at(play.accounts, portfolio)}/movements/cover`
  return (await ask(path, { movement: `ethereum ${txHash} ${place}`, reason: 'So' })) !== null
}
