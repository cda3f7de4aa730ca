// Books under load: `bun test/bench/ledger-soak.ts [transactions]`
// Runs the real core ledger under a mix of deposits, withdrawals, transfers, verdicts (some of them twice, some at once) and
// reviews, with a wallet that confirms, fails and keeps silent, kills it twice on the way, and then audits its books.
import { join } from 'node:path'
import { localServer, tempDir, testRedis, until } from '@bursar/testing'
import { ledgerId, seedLedger } from './ledger-seed'
import { startLedger } from './ledger-subjects'

const transactions = Number(process.argv[2] ?? 100_000)
const accounts = 1000
const atOnce = 64
const network = 'testnet'

const redis = await testRedis()
const folder = tempDir()
await seedLedger(folder, { accounts, deposits: accounts })
const wallet = localServer(async (request) => {
  const id = request.method === 'POST' ? ((await request.json()) as { id: string }).id : request.url.split('/').at(-1)
  const fate = Number.parseInt(id?.at(-1) ?? '0', 16)
  if (fate === 0) return Response.json({ error: { message: 'no such address' } }, { status: 422 })
  if (fate === 1) return Response.json({ error: { message: 'later' } }, { status: 503 })
  return Response.json({ id, status: 'confirmed', txHash: `0x${id}`, reason: null })
})
const place = { redisUrl: redis.url, bun: [process.execPath] }
let server = await startLedger(place, folder, wallet.url)
const answers = new Map<number, number>()
let made = 0

async function post(path: string, body: object, key?: string): Promise<{ status: number; body: { id?: string } }> {
  const headers = { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) }
  // A killed server answers nobody: the same request again, with its key, is the same transaction.
  for (;;) {
    const answer = await fetch(`${server.url}/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    }).catch(() => null)
    if (answer && answer.status !== 409) {
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
      return { status: answer.status, body: (await answer.json()) as { id?: string } }
    }
    await Bun.sleep(20)
  }
}

const account = () => ledgerId('account', Math.floor(Math.random() * accounts))
const amount = () => `${Math.floor(Math.random() * 1000)}.${Math.floor(Math.random() * 1e6)}1`.slice(0, 9)
const common = () => ({ network, assetId: ledgerId('asset', 0), amount: amount() })

async function begin(n: number) {
  const key = `soak-${n}`
  const kind = n % 10
  if (kind < 4)
    return await post(
      '/transactions/withdrawal',
      { accountId: account(), destinationAddress: 'there', ...common() },
      key,
    )
  if (kind < 8) {
    const body = { accountId: account(), sourceAddress: 'from', txHash: `soak-${n}`, ...common() }
    return await post('/transactions/deposit', body, key)
  }
  const { network: _, ...rest } = common()
  return await post('/transactions/transfer', { fromAccountId: account(), toAccountId: account(), ...rest }, key)
}

/** One transaction from its beginning to its verdict; every other verdict comes twice, some of them contrary. */
async function one(n: number) {
  const { status, body } = await begin(n)
  if (status >= 300 || !body.id) return
  const isApproved = n % 5 !== 0
  const verdicts = [post('/transactions/complete-screening', { id: body.id, isApproved })]
  if (n % 2 === 0) verdicts.push(post('/transactions/complete-screening', { id: body.id, isApproved: n % 4 === 0 }))
  await Promise.all(verdicts)
  const word = n % 3 === 0 ? 'approve' : 'reject'
  const type = n % 10 < 4 ? 'withdrawal' : 'deposit'
  if (n % 5 === 0) await post(`/transactions/${body.id}/${word}-frozen-${type}`, {})
}

async function worker() {
  while (made < transactions) {
    made += 1
    await one(made)
  }
}

async function killTwice() {
  for (const share of [0.3, 0.7]) {
    await until(() => made > transactions * share, { what: 'work to go on', timeoutMs: 3_600_000 })
    process.kill(server.pid, 'SIGKILL')
    server = await startLedger(place, folder, wallet.url)
    console.log(`killed and started again after ${made.toLocaleString('en')} transactions`)
  }
}

const started = performance.now()
await Promise.all([...Array.from({ length: atOnce }, worker), killTwice()])
const seconds = (performance.now() - started) / 1000
console.log(
  `${made.toLocaleString('en')} transactions in ${seconds.toFixed(0)} s, answers by status:`,
  Object.fromEntries(answers),
)
await server.stop()
await wallet.stop()
await redis.stop()
const audit = Bun.spawn([process.execPath, join(import.meta.dir, '../../scripts/audit.ts'), '--data-dir', folder], {
  stdout: 'inherit',
  stderr: 'inherit',
})
process.exit(await audit.exited)
