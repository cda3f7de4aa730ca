import { describe, expect, test } from 'bun:test'
import { passwordProblem } from './password-rules'

const guessable = 'is one that others guess: choose another'

describe('a new password', () => {
  test.each([
    ['twelve characters', 'k7#Vq2!mZp9x', null],
    ['128 of them', `${'Zürich im Regen, '.repeat(7)}123456789`, null],
    ['twelve that take two units each', '🐙🦀🐡🦞🐋🐠🦑🐬🐚🦈🐟🦐', null],
    ['a sentence', 'my cat sleeps on the ledger', null],
    ['eleven characters', 'k7#Vq2!mZp9', 'must be at least 12 characters long'],
    ['eleven that take two units each', '🐙🦀🐡🦞🐋🐠🦑🐬🐚🦈🐟', 'must be at least 12 characters long'],
    ['129 characters', 'Zürich im Regen, '.repeat(8).slice(0, 129), 'must be at most 128 characters long'],
    ['none', '', 'must be at least 12 characters long'],
    ['one of the commonest', '1qaz2wsx3edc', guessable],
    ['one of the commonest, in capitals', 'PASSWORD1234', guessable],
    ['a common word and what surrounds it', '!!Dragon123456', guessable],
    ['a common word twice', 'qwertyqwerty', guessable],
    ['one character', 'aaaaaaaaaaaa', guessable],
    ['a few, over and over', '7x7x7x7x7x7x', guessable],
    ['its user’s address', 'Anna@Bank.example', guessable],
    ['one of the commonest in wide letters', 'ｐａｓｓｗｏｒｄ１２３４', guessable],
  ])('of %s', (_what, password, problem) => {
    expect(passwordProblem(password, ['anna@bank.example'])).toBe(problem)
  })

  test('of its user’s name or address, however both are written', () => {
    for (const own of ['Anna@Bank.example', 'ANNA@BANK.EXAMPLE']) {
      expect(passwordProblem('anna@bank.example', ['Anna Berg', own])).toBe(guessable)
      expect(passwordProblem('another@bank.example', ['Anna Berg', own])).toBeNull()
    }
  })
})
