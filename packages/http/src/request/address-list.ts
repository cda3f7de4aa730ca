import { BlockList, isIP } from 'node:net'

/** The addresses and networks (`10.0.0.0/8`) of a list. Throws a sentence that names the first entry that is neither. */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits, ...more] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const prefix = /^\d{1,3}$/.test(bits ?? '0') ? Number(bits ?? 0) : Number.NaN
    if (more.length > 0 || isIP(address) === 0 || !(prefix <= (family === 'ipv6' ? 128 : 32))) {
      throw new Error(`"${entry}" is neither an address nor a network such as 10.0.0.0/8`)
    }
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, prefix, family)
  }
  return list
}

export function isListed(list: BlockList, address: string | null): boolean {
  const plain = address?.replace(/^::ffff:/, '') ?? ''
  const family = isIP(plain)
  return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}
