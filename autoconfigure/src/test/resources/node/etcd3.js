// Arguments: URL, prefix. Prints the keys below the prefix that are there, and each change of them.
// Commands: "put KEY TTL VALUE", "delete KEY", "end".
const { Etcd3 } = require('etcd3');
const readline = require('readline');

const [url, prefix] = process.argv.slice(2);
const client = new Etcd3({ hosts: url });
const say = (what) => console.log(JSON.stringify(what));

async function main() {
  const watcher = await client.watch().prefix(prefix).create();
  watcher.on('put', (entry) => say({ put: entry.key.toString(), value: JSON.parse(entry.value.toString()) }));
  watcher.on('delete', (entry) => say({ delete: entry.key.toString() }));
  for (const [key, value] of Object.entries(await client.getAll().prefix(prefix).json())) {
    say({ there: key, value });
  }
  say({ ready: true });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [command, key, ttl, ...value] = line.split(' ');
    if (command === 'put') {
      await client.lease(Number(ttl)).put(key).value(value.join(' '));
    } else if (command === 'delete') {
      await client.delete().key(key);
    } else {
      break;
    }
  }
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
