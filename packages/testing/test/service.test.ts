import { describe, expect, test } from 'bun:test'
import { AppError, type ErrorShape, errorBody } from '@bursar/http'
import { readAnswer, refusedAs } from '../src/service'

const place = { requestId: 'r-1', path: '/v1/things', timestamp: '2026-01-31T12:00:00.000Z' }
const error = new AppError('TAKEN', 409, 'It is taken', { details: { by: 'somebody' } })
const answerIn = (shape: ErrorShape) => readAnswer(Response.json(errorBody(shape, error, place), { status: 409 }))

describe('refusedAs', () => {
  test('gives the words of each shape', async () => {
    const details = { by: 'somebody' }
    const message = 'It is taken'
    expect(refusedAs('object')(await answerIn('object'), 409)).toEqual({ code: 'TAKEN', message, details })
    expect(refusedAs('list')(await answerIn('list'), 409)).toEqual({ message: [message] })
    expect(refusedAs('message')(await answerIn('message'), 409)).toEqual({ message, details })
  })

  test('throws for another status, another shape, and a body that is not whole', async () => {
    const answer = await answerIn('message')
    expect(() => refusedAs('message')(answer, 404)).toThrow('Expected an error 404, got 409')
    expect(() => refusedAs('object')(answer, 409)).toThrow('Expected an error 409')
    const { path: _, ...body } = answer.body
    expect(() => refusedAs('message')({ ...answer, body }, 409)).toThrow('Expected an error 409')
  })
})

test.each([
  ['JSON', Response.json({ a: 1 }), { a: 1 }],
  ['text', new Response('a', { headers: { 'content-type': 'text/plain' } }), 'a'],
  ['nothing', new Response(null, { status: 204 }), undefined],
])('readAnswer reads %s', async (_what, response, body) => {
  expect((await readAnswer(response)).body).toEqual(body as never)
})
