import { expect, test } from 'bun:test'
import { fieldProblem, type Validity } from './field-problem'

const problem = (validity: Validity, type = 'text', validationMessage = '') =>
  fieldProblem({ validity, type, validationMessage })

test('a sentence for what is missing, by the kind of field', () => {
  expect(problem({ valueMissing: true })).toBe('This is needed.')
  expect(problem({ valueMissing: true }, 'select-one')).toBe('Choose one.')
  expect(problem({ valueMissing: true }, 'file')).toBe('Choose a file.')
})

test('what a pattern asks for, in the words of its field', () => {
  const validity = { patternMismatch: true }
  expect(fieldProblem({ validity, type: 'text', title: 'Write a number.', validationMessage: 'No match' })).toBe(
    'Write a number.',
  )
  expect(problem(validity)).toBe('This is needed.')
})

test('an example for addresses and URLs', () => {
  expect(problem({ typeMismatch: true }, 'email')).toContain('name@bank.example')
  expect(problem({ typeMismatch: true }, 'url')).toContain('https://bank.example/hooks')
})

test('our own words come first, the browser’s last, as a sentence', () => {
  expect(problem({ customError: true, valueMissing: true }, 'file', 'The file is too large.')).toBe(
    'The file is too large.',
  )
  expect(problem({ tooShort: true }, 'text', 'Please use at least 3 characters')).toBe(
    'Please use at least 3 characters.',
  )
  expect(problem({ tooShort: true })).toBe('This does not fit.')
})
