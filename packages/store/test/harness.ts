import { onTestFinished } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dialect } from '../src/config'
import { type OpenStore, openStore, type StoreOptions, type Tx } from '../src/index'
import { openOnServer } from '../src/postgres/open'
import { sharePool } from '../src/postgres/shared-pool'
import { migrations } from './writes'

export * from './writes'

const cleanUps: (() => unknown)[] = []

/**
 * Runs `cleanUp` when the test is over, the latest first. (An `afterEach` here would hold for the first file alone that
 * imports this module.)
 */
export function afterTest(cleanUp: () => unknown) {
  if (cleanUps.length === 0) onTestFinished(cleanAll)
  cleanUps.push(cleanUp)
}

async function cleanAll() {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
}

export function tempFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data', 'test.sqlite')
}

/** The server that TEST_DATABASE_URL names; null where the store is a file. */
export const serverUrl = dialect === 'postgresql' ? (process.env.TEST_DATABASE_URL ?? '') : null

// Connections stay between tests, as they do while another service of a process is open: a new one costs the server more than
// most tests.
if (serverUrl !== null) for (const use of ['commits', 'reads'] as const) sharePool(serverUrl, use)

/** A store of its own: a file, or a schema where TEST_DATABASE_URL names a server. */
export async function tempStore(options: Partial<StoreOptions> = {}): Promise<OpenStore> {
  const store =
    serverUrl === null
      ? await openStore({ service: 'store-test', file: tempFile(), migrations, ...options })
      : await openOnServer({
          service: 'store-test',
          url: serverUrl,
          schema: schemaOf(options.file),
          migrations: `${migrations}-postgres`,
          ...options,
        })
  afterTest(() => store.close())
  return store
}

/** A schema of its own; that of a file for who opens it again. */
const schemaOf = (file: string = crypto.randomUUID()): string => `test_${Bun.hash(file).toString(36)}`

/** Polls until the condition holds; fails after a minute: machines are busy. */
export async function until(what: string, condition: () => unknown): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`)
    await Bun.sleep(2)
  }
}

/** What the promise was rejected with; undefined when it was not. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  )

/** What a store may warn of at any time where a machine is busy. */
export const heldWriter = 'A commit body held the writer'

/** A body that throws. */
export const refuse = () => {
  throw new Error('the body changed its mind')
}

/** Runs SQL on the writer, past everything the store offers, to bring about what a test needs. */
export const runRaw = (tx: Tx, text: string) => (tx as unknown as { run(text: string): void }).run(text)

/** The values of the first row of a query on the writer. */
export const readRaw = (tx: Tx, text: string) => (tx as unknown as { get(text: string): unknown }).get(text)
