#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""relay.py DIRECTORY PORT MILLISECONDS: passes connections on to that port of 127.0.0.1,
so that a round trip takes so much longer; its own port is in DIRECTORY/port."""
import asyncio
import os
import sys

DIRECTORY, TARGET, DELAY = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]) / 2000


async def pump(reader, writer):
    loop = asyncio.get_running_loop()
    queue = asyncio.Queue(64)

    async def deliver():
        while True:
            when, data = await queue.get()
            pause = when - loop.time()
            if pause > 0:
                await asyncio.sleep(pause)
            if not data:
                writer.close()
                return
            writer.write(data)
            await writer.drain()

    out = asyncio.create_task(deliver())
    data = b"x"
    while data:
        try:
            data = await reader.read(1 << 18)
        except ConnectionError:
            data = b""
        await queue.put((loop.time() + DELAY, data))
    await out


async def relay(reader, writer):
    there, back = await asyncio.open_connection("127.0.0.1", TARGET)
    await asyncio.gather(pump(reader, back), pump(there, writer), return_exceptions=True)


async def main():
    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    with open(f"{DIRECTORY}/port.new", "w", encoding="ascii") as out:
        out.write(f"{server.sockets[0].getsockname()[1]}\n")
    os.rename(f"{DIRECTORY}/port.new", f"{DIRECTORY}/port")
    async with server:
        await server.serve_forever()


asyncio.run(main())
