import { expect, test } from 'bun:test'
import { config } from './config'

test('20 streams per address by default', () => {
  expect(config({})).toMatchObject({ port: 4015, streamsPerAddress: 20 })
  expect(config({ TRACKER_STREAMS_PER_ADDRESS: '3' }).streamsPerAddress).toBe(3)
})

test.each(['0', '501', 'many'])('TRACKER_STREAMS_PER_ADDRESS=%s is refused, naming the variable', (value) => {
  expect(() => config({ TRACKER_STREAMS_PER_ADDRESS: value })).toThrow('TRACKER_STREAMS_PER_ADDRESS')
})
