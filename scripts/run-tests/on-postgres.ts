// The tests of services once more, with their tables on a PostgreSQL server: what holds there, and what is of files alone.

/** Test files that are about a database's file, with what they do with it. */
const filesOfFiles = new Map([
  ['services/identity-manager/test/restored.test.ts', 'restores it beside its run file'],
  ['services/gateway/test/restored.test.ts', 'restores it beside its run file'],
  ['services/wallet/test/restores.test.ts', 'restores it beside its run file'],
  ['services/core-ledger/test/books.test.ts', 'puts copies of it back'],
  ['services/wallet/test/process.test.ts', 'starts processes that have one'],
  ['services/blockchain/test/evm/inner-restores.test.ts', 'puts copies of it back'],
  ['services/blockchain/test/evm/restored-deposits.test.ts', 'puts copies of it back'],
  ['services/blockchain/test/evm/restored-fees.test.ts', 'puts copies of it back'],
  ['services/blockchain/test/evm/restores.test.ts', 'puts copies of it back'],
])

/** Tests in other files that hold for SQLite alone, with the reason. */
const testsOfFiles = new Map([
  [
    'services/core-ledger/test/refreshed-accounts.test.ts',
    new Map([
      [
        'a state that the replicas have is neither read nor stored again, until one of them changes',
        'others write there as well: nothing is remembered',
      ],
    ]),
  ],
  [
    'services/webhook/test/isolation.test.ts',
    new Map([['no statement of a target’s queue reads deliveries that have ended', 'asks for its plans']]),
  ],
  [
    'services/blockchain/test/queues.test.ts',
    new Map([['no statement of a queue reads sends that have ended', 'asks for its plans']]),
  ],
  [
    'services/blockchain/test/worthless-tokens.test.ts',
    new Map(
      ['movements that wait for their block', 'whether any do', 'the next token that came', 'the next that left'].map(
        (title) => [title, 'asks for its plans'],
      ),
    ),
  ],
  [
    'services/blockchain/test/restored-sends.test.ts',
    new Map([
      [
        'a send from before a restore is released by the commit of its new attempt, and not by one that fails',
        'brings it about by a trigger of SQLite',
      ],
    ]),
  ],
  [
    'services/participant/test/many-customers.test.ts',
    new Map([
      ['is read in parts: other requests are answered in between', 'others have a turn while a server is waited for'],
    ]),
  ],
  ['services/quote/test/highest-rate.test.ts', new Map([['is found by index only', 'asks for its plans']])],
  [
    'services/sanctions/test/screen-addresses.test.ts',
    new Map([['reads entries by their index, not the list', 'asks for its plans']]),
  ],
  [
    'services/blockchain/test/watched.test.ts',
    new Map([
      ['what was not written is not read again', 'others write to a server as well: nothing that was read stays true'],
    ]),
  ],
  [
    'services/core-ledger/test/audit.test.ts',
    new Map([
      ['exits with 1 at the first difference', 'the command reads a file: test/postgres/start.test.ts'],
      [
        'prints what it checked and exits with 0, beside the service',
        'the command reads a file: test/postgres/start.test.ts',
      ],
    ]),
  ],
  [
    'services/core-ledger/test/folded-sums.test.ts',
    new Map([
      ...['daily_totals', 'holdings', 'system_balances', 'meta'].map((table): [string, string] => [
        `a crash at the writes to ${table} loses and doubles nothing`,
        'brings it about by a trigger of SQLite',
      ]),
      ['a manipulated place is found', 'a follower on a server keeps a list, and no place'],
    ]),
  ],
  [
    'services/wallet/test/signatures.test.ts',
    new Map(
      [
        'in the run file before it leaves; if the file cannot be written, nothing leaves',
        'a signature that is given while the hold after a restore ends stays in the run file',
      ].map((title) => [title, 'a server has none: a restore is noted there']),
    ),
  ],
  [
    'services/wallet/test/watching.test.ts',
    new Map([
      ['those that are due (ahead) are found in their index', 'asks for its plans'],
      ['those that are due (longAgo) are found in their index', 'asks for its plans'],
      ['those that are due (never) are found in their index', 'asks for its plans'],
    ]),
  ],
])

/** Those of these test files that are to run on a server. */
export const onServer = (files: readonly string[]): string[] => files.filter((file) => !filesOfFiles.has(file))

/** A test of a JUnit report. */
interface Outcome {
  file: string
  title: string
  failed: boolean
}

/** The tests of a report of `bun test`. */
export function outcomesIn(report: string): Outcome[] {
  const cases = report.matchAll(/<testcase ([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g)
  return [...cases].map(([, attributes = '', , content = '']) => {
    const at = (name: string) => plain(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
    return { file: at('file'), title: at('name'), failed: content.includes('<failure') }
  })
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&amp;', '&'],
])
const plain = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|apos|#39|amp);/g, (found) => entities.get(found) ?? found)

/** What a run on a server was not to come out as: tests that failed, and tests of the list that hold after all. */
export function unexpectedIn(report: string): string[] {
  return outcomesIn(report).flatMap(({ file, title, failed }) => {
    const isOfFiles = testsOfFiles.get(file)?.has(title) ?? false
    if (failed === isOfFiles) return []
    const what = failed ? 'fails on PostgreSQL' : 'holds on PostgreSQL: take it off the list'
    return [`${file}: ${title}: ${what}`]
  })
}
