import { describe, expect, test } from 'bun:test'
import type { ListEntry, ListedName } from '@bursar/contracts/sanctions'
import { ListFileError, sdnParser } from './parse-sdn'

// The form of OFAC's sdn.xml, with all kinds of entries: with an address, with two, without, and with other ids.
const entries = [
  `<sdnEntry><uid>36</uid><lastName>AEROCARIBBEAN AIRLINES</lastName><sdnType>Entity</sdnType>
     <programList><program>CUBA</program></programList>
     <akaList><aka><uid>12</uid><type>a.k.a.</type><category>strong</category><lastName>AERO-CARIBBEAN</lastName></aka>
       <aka><uid>13</uid><type>a.k.a.</type><category>weak</category><firstName>The</firstName><lastName>LINE</lastName></aka>
       <aka><uid>14</uid><category>strong</category><firstName>Aero</firstName><lastName>C.</lastName></aka></akaList>
   </sdnEntry>`,
  `<sdnEntry><uid>25308</uid><firstName>Xiaobing</firstName><lastName>YAN &amp; Co</lastName><sdnType>Individual</sdnType>
     <idList>
       <id><uid>1</uid><idType>Passport</idType><idNumber>E03330661</idNumber><idCountry>China</idCountry></id>
       <id><uid>2</uid><idType>Digital Currency Address - XBT</idType><idNumber>12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h</idNumber></id>
       <id><uid>3</uid><idType>Digital Currency Address - ETH</idType><idNumber> 0x098B716B8Aaf21512996dC57EB0615e2383E2f96
       </idNumber></id>
     </idList>
   </sdnEntry>`,
]
const file = (body = entries.join('\n'), count = String(entries.length), date = '09/27/2024') =>
  `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>${date}</Publish_Date><Record_Count>${count}</Record_Count></publshInformation>
  ${body}
</sdnList>`

function read(text: string, pieceSize = text.length) {
  const found: ListEntry[] = []
  const names: ListedName[] = []
  const parser = sdnParser(
    (entry) => found.push(entry),
    (name) => names.push(name),
  )
  for (let i = 0; i < text.length; i += pieceSize) parser.write(text.slice(i, i + pieceSize))
  return { summary: parser.end(), found, names }
}

const expected = [
  { entryId: '25308', asset: 'XBT', address: '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h', name: 'Xiaobing YAN & Co' },
  { entryId: '25308', asset: 'ETH', address: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96', name: 'Xiaobing YAN & Co' },
]

describe('sdn.xml in its published form', () => {
  test.each([1, 7, 100_000])('read in pieces of %i characters', (pieceSize) => {
    const { summary, found, names } = read(file(), pieceSize)
    expect(found).toEqual(expected)
    expect(summary).toEqual({ publishedAt: '2024-09-27T00:00:00.000Z', records: 2, addresses: 2, names: 4 })
    expect(names).toEqual([
      { entryId: '36', name: 'AEROCARIBBEAN AIRLINES' },
      { entryId: '36', name: 'AERO-CARIBBEAN' },
      { entryId: '36', name: 'Aero C.' },
      { entryId: '25308', name: 'Xiaobing YAN & Co' },
    ])
  })
})

test('ships and aircraft have no names to screen against', () => {
  const ship = '<sdnEntry><uid>7</uid><lastName>ARTAVIL</lastName><sdnType>Vessel</sdnType></sdnEntry>'
  expect(read(file(`${ship}${entries.join('')}`, '3')).names.map(({ name }) => name)).not.toContain('ARTAVIL')
})

test('an address has no spaces inside, nor what nobody sees', () => {
  expect(read(file().replace('12QtD5BFwRsd', '12QtD5\u200b\n  BFwRsd')).found).toEqual(expected)
})

test('sections of plain text are text', () => {
  const whole = '<lastName>AEROCARIBBEAN AIRLINES</lastName>'
  const { names } = read(file().replace(whole, '<lastName>AEROCARIBBEAN<![CDATA[ & AIRLINES]]></lastName>'))
  expect(names[0]?.name).toBe('AEROCARIBBEAN & AIRLINES')
})

test('what the service would refuse in a name, and with it the whole list, is a space', () => {
  const { names } = read(file().replace('AERO-CARIBBEAN', 'AERO\u202bCARIBBEAN\u2069'))
  expect(names[1]?.name).toBe('AERO CARIBBEAN')
})

describe('an unreliable file', () => {
  test.each<[string, string, RegExp]>([
    ['cut short', file().slice(0, -100), /not well-formed/],
    ['with records missing', file(entries[1]), /has 1 records and says that it has 2$/],
    ['without its count', file().replace(/<Record_Count>.*<\/Record_Count>/, ''), /says that it has none$/],
    ['without an address', file(entries[0], '1'), /lists no digital-currency address/],
    ['without its date', file(undefined, undefined, 'soon'), /when it was published/],
    ['with an impossible date', file(undefined, undefined, '02/31/2024'), /when it was published/],
    ['of another form', '<html><body>Sign in</body></html>', /no SDN list: its root is html/],
    ['no XML', 'Access denied', /not well-formed/],
    ['empty', '', /not well-formed/],
    ['with entities', `<!DOCTYPE sdnList [<!ENTITY a "b">]>${file().replace(/<\?.*\?>/, '')}`, /document type/],
    ['with an address without a uid', file().replace('<uid>25308</uid>', ''), /without uid or number/],
    ['with a name without a uid', file().replace('<uid>36</uid>', ''), /a name without uid: AEROCARIBBEAN AIRLINES$/],
    [
      'with an address of another form',
      file().replace('Address - ETH', 'Address – ETH'),
      /unknown form .*Xiaobing YAN/,
    ],
  ])('%s', (_, text, words) => {
    expect(() => read(text)).toThrow(ListFileError)
    expect(() => read(text)).toThrow(words)
  })
})
