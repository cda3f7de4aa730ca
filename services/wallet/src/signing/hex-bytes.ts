/** True for 0x and two hexadecimal digits for each byte; none is allowed. In linear time, however long it is. */
export const isHexBytes = (text: string): boolean => text.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(text)
