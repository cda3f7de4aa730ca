// What bun test/scale/lists.ts measures at a million rows, with few: that every GET of every service is asked and answers
// as it says, and that no statement goes over a whole table that grows, or sorts one. Nothing here looks at the time.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { tempDir } from '@bursar/testing'
import { builtServices } from '@bursar/testing/platform'
import { type Measured, measureOperation } from './measure'
import { type Opened, openFilled } from './open'
import { type PlanComplaint, planComplaints } from './plans'
import { grownTables, type Seed } from './seed'
import { seeds } from './seeds'
import { type WatchedStatements, watchStatements } from './watch-statements'

const rows = 300

let statements: WatchedStatements
beforeAll(() => {
  statements = watchStatements()
})
afterAll(() => statements.end())

test('every service has a seed', () => {
  expect(Object.keys(seeds).sort()).toEqual(builtServices())
})

describe.each(Object.entries(seeds))('the lists of the service %s', (name, seed) => {
  const texts = new Set<string>()
  const answers: Measured[] = []
  let opened: Opened

  beforeAll(async () => {
    opened = await openFilled(name as keyof typeof seeds, seed as Seed, tempDir(), rows)
    for (const operation of opened.operations) {
      await measureOperation(opened, operation, {
        statements,
        isBrief: true,
        readMs: Number.POSITIVE_INFINITY,
        firstReadMs: Number.POSITIVE_INFINITY,
        isRepeated: false,
        ran: (text) => texts.add(text),
        answered: (measured) => answers.push(measured),
      })
    }
  })
  afterAll(() => opened?.close())

  test('are all answered, and as their schemas say', () => {
    const answered = new Set(answers.filter(({ status }) => status === 200).map(({ operation }) => operation))
    expect(opened.operations.map((operation) => operation.name).filter((each) => !answered.has(each))).toEqual([])
    // 400: filters that exclude each other, and texts that are too long; 404: nothing is there.
    expect(answers.filter(({ status }) => ![200, 400, 404].includes(status)).map(({ request }) => request)).toEqual([])
  })

  test('leave out what there is and no more', () => {
    expect(opened.leftOut.filter(({ isKnown }) => !isKnown)).toEqual([])
  })

  test('go over no table that grows, and sort none', () => {
    expect(complaintsOf(opened, texts).map(({ problem, statement }) => `${problem}: ${statement}`)).toEqual([])
  })
})

function complaintsOf({ file, seed }: Opened, texts: Iterable<string>): PlanComplaint[] {
  const db = new Database(file, { readonly: true })
  try {
    return planComplaints(file, texts, { grown: grownTables(db, seed), exceptions: seed.plans ?? {} })
  } finally {
    db.close()
  }
}
