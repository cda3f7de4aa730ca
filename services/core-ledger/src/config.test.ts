import { expect, test } from 'bun:test'
import { config } from './config'

test('the defaults', () => {
  expect(config({})).toMatchObject({ screening: 'external', screeningSecret: undefined, screeningAllow: [] })
  expect(config({}).newBooks).toBe(false)
})

test('new books are begun by the word yes alone', () => {
  expect(config({ NEW_BOOKS: 'yes' }).newBooks).toBe(true)
  expect(() => config({ NEW_BOOKS: 'true' })).toThrow(/^NEW_BOOKS must be one of no, yes/)
})

test('the sanctions service may screen', () => {
  expect(config({ SCREENING: 'sanctions' }).screening).toBe('sanctions')
})

test('lists are split at commas and spaces', () => {
  expect(config({ SCREENING_ALLOW: '10.0.0.1, 10.0.0.2  ::1' }).screeningAllow).toEqual(['10.0.0.1', '10.0.0.2', '::1'])
})

test('what cannot be used is named', () => {
  expect(() => config({ SCREENING: 'none' })).toThrow(/^SCREENING must be one of/)
  expect(() => config({ SCREENING_ALLOW: 'somewhere' })).toThrow(/^SCREENING_ALLOW: "somewhere" is neither/)
  expect(() => config({ SCREENING_ALLOW: '10.0.0.0/x' })).toThrow(/^SCREENING_ALLOW/)
  expect(() => config({ SCREENING_ALLOW: '10.0.0.0/99' })).toThrow(/^SCREENING_ALLOW/)
  expect(() => config({ SCREENING_SECRET: 'not base64!' })).toThrow(/^SCREENING_SECRET/)
})

test('withdrawals wait for what is owed in production, and in the sandbox where that is asked for', () => {
  expect(config({}).solvencyGate).toBe(false)
  expect(config({ ENVIRONMENT: 'production' }).solvencyGate).toBe(true)
  expect(config({ SOLVENCY_GATE: 'on' }).solvencyGate).toBe(true)
  expect(config({ ENVIRONMENT: 'production', SOLVENCY_GATE: 'off' }).solvencyGate).toBe(false)
  expect(() => config({ SOLVENCY_GATE: 'yes' })).toThrow(/^SOLVENCY_GATE must be one of on, off/)
})
