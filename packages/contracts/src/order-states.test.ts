import { describe, expect, test } from 'bun:test'
import { canMove, type HeardOrder, isFinal, judgeEvent, orderStatuses, toldStatuses } from './order-states'

describe('the moves of an order', () => {
  test('are these, and no others', () => {
    const allowed = orderStatuses.map((from) => [from, orderStatuses.filter((to) => canMove(from, to))])
    expect(Object.fromEntries(allowed)).toEqual({
      accepted: ['broadcast', 'confirmed', 'failed'],
      broadcast: ['accepted', 'broadcast', 'confirmed', 'failed'],
      confirmed: [],
      failed: [],
    })
  })

  test('end with what is final', () => {
    expect(orderStatuses.filter(isFinal)).toEqual(['confirmed', 'failed'])
  })
})

describe('an event', () => {
  const mark = (epoch: number, version: number) => ({ epoch, version })
  const known = (fields: Partial<HeardOrder> = {}): HeardOrder => ({
    status: 'broadcast',
    txHash: '0xb',
    told: mark(2, 5),
    ...fields,
  })

  test('of a newer state is believed: the next hash, and the end', () => {
    expect(judgeEvent(known(), { status: 'broadcast', txHash: '0xc', ...mark(2, 6) })).toBe('believe')
    expect(judgeEvent(known(), { status: 'broadcast', txHash: '0xc', ...mark(3, 1) })).toBe('believe')
    expect(judgeEvent(known(), { status: 'confirmed', txHash: '0xc', ...mark(2, 6) })).toBe('believe')
  })

  test('of an older state, of the same one again, or of a run before is ignored', () => {
    for (const old of [mark(2, 4), mark(2, 5), mark(1, 9)]) {
      expect(judgeEvent(known(), { status: 'broadcast', txHash: '0xa', ...old })).toBe('ignore')
      expect(judgeEvent(known(), { status: 'failed', txHash: null, ...old })).toBe('ignore')
    }
  })

  test('that it is final is believed whichever run has said so, and asked about without its hash', () => {
    expect(judgeEvent(known(), { status: 'confirmed', txHash: '0xa', ...mark(1, 1) })).toBe('believe')
    expect(judgeEvent(known(), { status: 'confirmed', txHash: null, ...mark(2, 6) })).toBe('ask')
  })

  test('that it failed, or is on its way without a hash, is asked about', () => {
    expect(judgeEvent(known(), { status: 'failed', txHash: '0xb', ...mark(2, 6) })).toBe('ask')
    expect(judgeEvent(known(), { status: 'broadcast', txHash: null, ...mark(2, 6) })).toBe('ask')
  })

  test('of another hash than an answer has named is asked about; the first one, and the same again, are believed', () => {
    const event = { status: 'broadcast', txHash: '0xa', ...mark(2, 6) } as const
    expect(judgeEvent(known({ told: null }), event)).toBe('ask')
    expect(judgeEvent(known({ told: null, txHash: '0xa' }), event)).toBe('believe')
    expect(judgeEvent(known({ told: null, txHash: null, status: 'accepted' }), event)).toBe('believe')
  })

  test('of an order that has ended is ignored', () => {
    for (const status of ['confirmed', 'failed'] as const)
      for (const said of toldStatuses)
        expect(judgeEvent(known({ status }), { status: said, txHash: '0xa', ...mark(9, 9) })).toBe('ignore')
  })

  test('in whatever order and however often they come: the newest that came is what is known', () => {
    const on = (txHash: string, epoch: number, version: number) =>
      ({ status: 'broadcast', txHash, epoch, version }) as const
    // The run of epoch 2 began with a database that was set back.
    const events = [on('0xa', 1, 7), on('0xb', 1, 8), on('0xa', 2, 3), on('0xc', 2, 4)]
    for (let turn = 0; turn < events.length ** 5; turn++) {
      let order = known({ status: 'accepted', txHash: null, told: null })
      let newest = -1
      for (let rest = turn, i = 0; i < 5; i++, rest = Math.floor(rest / events.length)) {
        const place = rest % events.length
        const event = events[place]
        if (!event) throw new Error('There is no such event')
        const verdict = judgeEvent(order, event)
        expect(verdict).toBe(place > newest ? 'believe' : 'ignore')
        newest = Math.max(newest, place)
        if (verdict === 'believe') order = { status: event.status, txHash: event.txHash, told: event }
      }
      expect(order.txHash).toBe(events[newest]?.txHash ?? '')
    }
  })
})
