import { describe, expect, test } from 'bun:test'
import {
  type Facts,
  highRiskCountries,
  needsConfirmation,
  ruleNames,
  sanctionedCountries,
  scoreCheck,
  thresholds,
} from './rules'

const units = (amount: number | bigint) => BigInt(amount) * 10n ** 18n
const cent = 10n ** 16n

/** A check that nothing speaks against. */
const clean: Facts = {
  amount: units(100),
  currency: 'USD',
  missing: [],
  age: 40,
  nationality: 'US',
  participantCountry: 'US',
  bankCountry: 'US',
  names: { list: 'OFAC SDN of 2024-09-27', listed: 1000, matches: [] },
  velocity: { count: 0, sum: 0n },
}
const found = (facts: Partial<Facts>) => {
  const { score, reasons } = scoreCheck({ ...clean, ...facts })
  return [score, reasons.map(({ rule, points }) => `${rule} ${points}`)]
}

test('nothing found: no points, no reasons', () => {
  expect(scoreCheck(clean)).toEqual({ score: 0, riskLevel: 'LOW', reasons: [] })
  expect(needsConfirmation('LOW')).toBe(false)
})

describe('amounts', () => {
  test.each<[string, bigint, string | null]>([
    ['8999.99', units(9000) - cent, null],
    ['9000, a tenth below', units(9000), 'AMOUNT_JUST_BELOW 15'],
    ['9999.99', units(10_000) - cent, 'AMOUNT_JUST_BELOW 15'],
    ['10000, the threshold', units(10_000), 'AMOUNT_LARGE 20'],
    ['99999.99', units(100_000) - cent, 'AMOUNT_LARGE 20'],
    ['100000, ten times', units(100_000), 'AMOUNT_VERY_LARGE 40'],
  ])('%s USD', (_words, amount, rule) => {
    expect(found({ amount })[1]).toEqual(rule === null ? [] : [rule])
  })

  test('each currency has its own threshold; a currency without one says so', () => {
    expect(found({ currency: 'JPY', amount: units(1_799_999) })[1]).toEqual([])
    expect(found({ currency: 'JPY', amount: units(2_000_000) })[1]).toEqual(['AMOUNT_LARGE 20'])
    expect(found({ currency: 'CHF', amount: units(14_999) })[1]).toEqual(['AMOUNT_JUST_BELOW 15'])
    expect(found({ currency: 'XPF', amount: units(1) })).toEqual([15, ['CURRENCY_WITHOUT_THRESHOLD 15']])
    expect(found({ currency: 'constructor' })[1]).toEqual(['CURRENCY_WITHOUT_THRESHOLD 15'])
    for (const [currency, threshold] of Object.entries(thresholds)) {
      expect(found({ currency, amount: units(threshold) })[1]).toEqual(['AMOUNT_LARGE 20'])
    }
  })
})

describe('names', () => {
  const names = (listed: number, ...matches: [string, boolean][]) => ({
    list: 'OFAC SDN of 2024-09-27',
    listed,
    matches: matches.map(([name, isSame]) => ({ name, isSame })),
  })
  test('all words match, some match, nobody was screened', () => {
    expect(found({ names: names(9, ['Jong Un KIM', true]) })).toEqual([100, ['SANCTIONED_NAME 100']])
    expect(found({ names: names(9, ['A B', false], ['C D', true]) })[1]).toEqual(['SANCTIONED_NAME 100'])
    expect(found({ names: names(9, ['Vladimir Vladimirovich PUTIN', false]) })).toEqual([50, ['SIMILAR_NAME 50']])
    expect(found({ names: names(0) })).toEqual([30, ['NAME_NOT_SCREENED 30']])
    expect(found({ names: null })).toEqual([30, ['NAME_NOT_SCREENED 30']])
  })

  test('the explanation names the person, and the list with its date', () => {
    const words = (facts: Partial<Facts>) => scoreCheck({ ...clean, ...facts }).reasons[0]?.explanation
    expect(words({ names: names(9, ['Jong Un KIM', true]) })).toBe(
      'The name is that of Jong Un KIM on the list OFAC SDN of 2024-09-27',
    )
    expect(words({ names: names(9, ['A B', false], ['A C', false]) })).toBe(
      'The name is similar to A B and 1 more on the list OFAC SDN of 2024-09-27',
    )
  })
})

describe('countries', () => {
  test('of the customer, the participant and the bank', () => {
    expect(found({ nationality: 'IR' })).toEqual([100, ['SANCTIONED_COUNTRY 100']])
    expect(found({ participantCountry: 'CU' })).toEqual([100, ['SANCTIONED_COUNTRY 100']])
    expect(found({ bankCountry: 'KP' })).toEqual([100, ['SANCTIONED_COUNTRY 100']])
    expect(found({ nationality: 'YE' })).toEqual([30, ['HIGH_RISK_COUNTRY 30']])
    expect(found({ nationality: 'MM', participantCountry: 'VE', bankCountry: 'CH' })).toEqual([
      60,
      ['HIGH_RISK_COUNTRY 30', 'HIGH_RISK_COUNTRY 30'],
    ])
    expect(found({ nationality: 'SE' })[1]).toEqual([])
    expect(found({ nationality: 'unknown' })).toEqual([30, ['UNKNOWN_NATIONALITY 30']])
  })

  test('no country is on both lists, and all are codes', () => {
    for (const country of [...sanctionedCountries, ...highRiskCountries]) expect(country).toMatch(/^[A-Z]{2}$/)
    expect([...sanctionedCountries].filter((country) => highRiskCountries.has(country))).toEqual([])
  })
})

describe('velocity', () => {
  test.each<[number, string[]]>([
    [99, []],
    [100, ['MANY_PAYMENTS 10']],
    [499, ['MANY_PAYMENTS 10']],
    [500, ['VERY_MANY_PAYMENTS 20']],
  ])('%d payments', (count, rules) => {
    expect(found({ velocity: { count, sum: 0n } })[1]).toEqual(rules)
  })

  test('the turnover includes this amount', () => {
    const with100 = (sum: bigint) => found({ velocity: { count: 1, sum } })[1]
    expect(with100(units(999_900) - cent)).toEqual([])
    expect(with100(units(999_900))).toEqual(['HIGH_TURNOVER 15'])
    expect(with100(units(9_999_900) - cent)).toEqual(['HIGH_TURNOVER 15'])
    expect(with100(units(9_999_900))).toEqual(['VERY_HIGH_TURNOVER 30'])
    expect(found({ currency: 'XPF', velocity: { count: 1, sum: units(10n ** 20n) } })[1]).toEqual([
      'CURRENCY_WITHOUT_THRESHOLD 15',
    ])
  })
})

describe('the customer', () => {
  test('ten points for each field that is missing', () => {
    const missing = ['firstName', 'lastName', 'dateOfBirth', 'nationality']
    expect(found({ missing: ['dateOfBirth'], age: null })).toEqual([10, ['MISSING_DATA 10']])
    expect(found({ missing, names: null, age: null, nationality: null })[0]).toBe(70)
    const [reason] = scoreCheck({ ...clean, missing: ['nationality'], nationality: null }).reasons
    expect(reason?.explanation).toBe('customerData.nationality is missing')
  })

  test('younger than 18', () => {
    expect(found({ age: 17 })).toEqual([30, ['MINOR 30']])
    expect(found({ age: 18 })[1]).toEqual([])
    expect(found({ age: 0 })[1]).toEqual(['MINOR 30'])
  })
})

describe('the risk', () => {
  const risk = (facts: Partial<Facts>) => {
    const { score, riskLevel } = scoreCheck({ ...clean, ...facts })
    return [score, riskLevel, needsConfirmation(riskLevel)]
  }
  test('LOW below 30, MEDIUM below 70, HIGH from 70; the score ends at 100', () => {
    // 20 for the amount; 15 + 10 = 25 just below a threshold and a field missing.
    expect(risk({ amount: units(10_000) })).toEqual([20, 'LOW', false])
    expect(risk({ amount: units(9500), missing: ['dateOfBirth'] })).toEqual([25, 'LOW', false])
    expect(risk({ age: 17 })).toEqual([30, 'MEDIUM', true])
    // 40 + 15 + 10
    expect(risk({ amount: units(100_000), velocity: { count: 100, sum: units(900_000) } })).toEqual([
      65,
      'MEDIUM',
      true,
    ])
    // 40 + 30
    expect(risk({ amount: units(100_000), age: 12 })).toEqual([70, 'HIGH', true])
    expect(risk({ nationality: 'KP', amount: units(100_000) })).toEqual([100, 'HIGH', true])
  })
})

test('the table at the head of the file has every rule with its points', async () => {
  const text = await Bun.file(`${import.meta.dir}/rules.ts`).text()
  const rows = new Map(
    [...text.matchAll(/^ \* \| ([A-Z_]+) \| .+ \| (\d+)/gm)].map(([, rule, points]) => [rule, Number(points)]),
  )
  const given = new Map(
    [...text.matchAll(/reason\('([A-Z_]+)', (\d+)/g)].map(([, rule, points]) => [rule, Number(points)]),
  )
  expect([...rows.keys()].sort()).toEqual([...ruleNames].sort())
  expect(new Map([...given].sort())).toEqual(new Map([...rows].sort()))
})
