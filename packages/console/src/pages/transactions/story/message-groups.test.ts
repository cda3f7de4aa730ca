import { expect, test } from 'bun:test'
import { byRequest } from './message-groups'

const message = (request_id: string, second: number) => ({
  request_id,
  timestamp: `2026-11-22T05:00:0${second}.000Z`,
})

test('messages stand by their request, requests and messages oldest first', () => {
  const [a1, b1, a2, c1] = [message('a', 1), message('b', 2), message('a', 3), message('c', 0)]
  expect(byRequest([a2, b1, a1, c1].flatMap((each) => each ?? []))).toEqual([
    { requestId: 'c', messages: [c1] },
    { requestId: 'a', messages: [a1, a2] },
    { requestId: 'b', messages: [b1] },
  ])
  expect(byRequest([])).toEqual([])
})
