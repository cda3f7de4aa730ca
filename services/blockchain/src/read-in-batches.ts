/** The most values that one statement takes (value lists of the store). */
const mostInStatement = 100

/** The rows of many keys, by as few statements as that takes. */
export async function readInBatches<Row>(
  keys: readonly string[],
  read: (batch: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let at = 0; at < keys.length; at += mostInStatement) {
    rows.push(...(await read(keys.slice(at, at + mostInStatement))))
  }
  return rows
}
