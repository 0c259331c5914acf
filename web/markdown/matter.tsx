/** What the front matter says, as a small table; nothing where there is none. */
export function Matter({ rows }: { rows: readonly { key: string; value: string }[] }) {
  if (rows.length === 0) return null;
  return (
    <table class="matter">
      <caption class="unseen">Front matter</caption>
      <tbody>
        {rows.map(({ key, value }, at) => (
          <tr key={`${at} ${key}`}>
            <th scope="row">{key}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
